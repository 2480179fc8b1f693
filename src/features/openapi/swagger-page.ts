/** The Swagger UI page. The program serves every file of it, so it works without a network. */

/** A page in English. Its addresses are relative, so that it also works behind a proxy that adds a prefix. */
export function htmlPage(title: string, files: string, style: string, body: string): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${files}icon.png">
<link rel="stylesheet" href="${files}${style}">
</head>
<body>
${body}
</body>
</html>
`;
}

const body = `<div id="swagger-ui"></div>
<script src="swagger/swagger-ui-bundle.js"></script>
<script src="swagger/start.js"></script>`;

export const page = htmlPage('Access API', 'swagger/', 'swagger-ui.css', body);
