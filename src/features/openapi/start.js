/**
 * Starts the page. The filter finds words of summaries and descriptions, and opens the operations that it finds; without
 * it only the basic service is open. A token given under "Authorize" survives a reload. Swagger UI adds `Bearer` even if
 * it was pasted, so the interceptor removes the second one.
 *
 * The plugin replaces the resolver of Swagger UI, which takes seconds for each opened operation. The document refers only
 * to itself, so each reference can be replaced by its target; `$$ref` gives a schema its name.
 */
function resolve(value, document) {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map((item) => resolve(item, document));
	const { $ref: reference, ...rest } = value;
	if (reference) return { ...resolve(partOf(document, reference.split('/').slice(1)), document), $$ref: reference };
	return Object.fromEntries(Object.entries(rest).map(([name, item]) => [name, resolve(item, document)]));
}

function partOf(document, path) {
	return path.reduce((part, name) => part[name], document);
}

function quickResolver() {
	const requestResolvedSubtree =
		(_slow, { specActions, specSelectors }) =>
		(path) => {
			const document = specSelectors.specJS();
			return specActions.updateResolvedSubtree(path, resolve(partOf(document, path), document));
		};
	return { statePlugins: { spec: { wrapActions: { requestResolvedSubtree } } } };
}

function wordsOf(tag, operation) {
	const said = ['operationId', 'summary', 'description'].map((name) => operation.getIn(['operation', name]));
	return [tag, operation.get('method'), operation.get('path'), ...said].join(' ').toLowerCase();
}

function search() {
	const opsFilter = (tags, phrase) => {
		const words = phrase.toLowerCase().split(/\s+/);
		const isFound = (tag, operation) => words.every((word) => wordsOf(tag, operation).includes(word));
		return tags
			.map((tag, name) => tag.update('operations', (operations) => operations.filter((each) => isFound(name, each))))
			.filter((tag) => tag.get('operations').size > 0);
	};
	return { fn: { opsFilter } };
}

function basicFirst() {
	const isShown =
		(original, { layoutSelectors, specSelectors }) =>
		(_, thing, normally) => {
			const [kind, name] = [thing].flat();
			if (kind !== 'operations-tag') return original(thing, normally);
			// Before anything is typed it is true, sometimes as a text.
			const isFiltered = !['', 'true'].includes(String(layoutSelectors.currentFilter() ?? '').trim());
			const isBasic = specSelectors.specJS().tags.some((tag) => tag.name === name && tag['x-basic']);
			return original(thing, isFiltered || isBasic);
		};
	return { statePlugins: { layout: { wrapSelectors: { isShown } } } };
}

SwaggerUIBundle({
	url: 'swagger/json',
	plugins: [quickResolver, search, basicFirst],
	dom_id: '#swagger-ui',
	persistAuthorization: true,
	deepLinking: true,
	filter: true,
	displayRequestDuration: true,
	tryItOutEnabled: true,
	validatorUrl: null,
	requestInterceptor(request) {
		const { Authorization: authorization } = request.headers;
		if (authorization) request.headers.Authorization = authorization.replace(/^(?:Bearer\s+)+/i, 'Bearer ').trim();
		return request;
	},
});
