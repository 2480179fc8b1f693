/** The Swagger UI page. Everything it needs is served by the program itself, so it works without a network. */
import icon from 'swagger-ui-dist/favicon-32x32.png' with { type: 'file' };
import styles from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import bundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };

/** The page; its addresses are relative, so that it also works behind a proxy that adds a prefix. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Access API</title>
<link rel="icon" href="swagger/icon.png">
<link rel="stylesheet" href="swagger/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="swagger/swagger-ui-bundle.js"></script>
<script src="swagger/start.js"></script>
</body>
</html>
`;

/** Starts the page; a token given under "Authorize" survives a reload. */
export const startScript = `SwaggerUIBundle({
	url: 'swagger/json',
	dom_id: '#swagger-ui',
	deepLinking: true,
	persistAuthorization: true,
	displayRequestDuration: true,
	tryItOutEnabled: true,
	validatorUrl: null,
});
`;

/** The files of Swagger UI by the name under which they are served. */
export const files: ReadonlyMap<string, { path: string; type: string }> = new Map(
	Object.entries({
		'swagger-ui-bundle.js': { path: bundle, type: 'text/javascript; charset=utf-8' },
		'swagger-ui.css': { path: styles, type: 'text/css; charset=utf-8' },
		'icon.png': { path: icon, type: 'image/png' },
	}),
);

/** Nothing from elsewhere, no inline script; Swagger UI styles its elements inline and embeds its icons. */
export const contentSecurityPolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self' 'unsafe-inline'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join('; ');
