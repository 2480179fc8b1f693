/** What the OpenAPI document says of a route: its name in clients, a summary and, where that is not all, a description. */
export function doc(operationId: string, summary: string, description?: string) {
	return { detail: { operationId, summary, ...(description !== undefined && { description }) } };
}
