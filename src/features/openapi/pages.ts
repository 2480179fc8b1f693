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

/** No other origin, no script, and styles only from the program's own file. */
export const textPolicy =
	"default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
