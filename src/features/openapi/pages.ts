/** The pages for integrators, which the program serves as HTML. */
import { readPages } from './page-texts.ts' with { type: 'macro' };
import { htmlPage } from './swagger-page.ts';

const pages: ReadonlyMap<string, string> = new Map(Object.entries(readPages()));

const titleOf = (text: string) => /^# (.+)$/m.exec(text)?.[1] ?? '';

/** A page as HTML; undefined for an unknown name. */
export function renderPage(name: string): string | undefined {
	const text = pages.get(name);
	if (text === undefined) return undefined;
	const menu = Array.from(pages, ([each, page]) => `<a href="${each}">${titleOf(page)}</a>`).join('\n');
	const html = Bun.markdown.html(text, { headings: { ids: true }, noHtmlBlocks: true, noHtmlSpans: true });
	const body = `<nav>
<a href="../../swagger">Swagger UI</a>
${menu}
</nav>
<main>
${withServedLinks(html)}
</main>`;
	return htmlPage(`${titleOf(text)} · Access`, '../', 'page.css', body);
}

/** Leads links between the files to the pages. A link to a file that is not served becomes plain text. */
function withServedLinks(html: string): string {
	return html.replaceAll(/ href="(?:[\w.-]*\/)*([\w-]+)\.md(#[\w-]*)?"/g, (_, name: string, anchor = '') =>
		pages.has(name) ? ` href="${name}${anchor}"` : '',
	);
}

/** The look of the pages. */
export const styles = `
body { font: 16px/1.6 system-ui, sans-serif; color: #1f2328; background: #fff; margin: 0; display: flex; flex-wrap: wrap }
nav { padding: 24px; display: flex; flex-direction: column; gap: 8px; flex: 1 0 180px }
main { padding: 0 24px 48px; flex: 999 1 60%; max-width: 780px; min-width: 0; box-sizing: border-box }
a { color: #0958d9 }
code { font: 14px/1.5 ui-monospace, monospace; background: #f3f4f6; padding: 1px 4px; border-radius: 3px; overflow-wrap: anywhere }
pre { background: #f3f4f6; padding: 12px; overflow: auto }
pre code { padding: 0; overflow-wrap: normal }
table { border-collapse: collapse }
th, td { border: 1px solid #d0d7de; padding: 4px 8px }
`;

/** No other origin, no script, and styles only from the program's own file. */
export const textPolicy =
	"default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
