/** Gives a downloaded file to the person: the browser cannot send the token with a plain link. */
export async function saveFile(response: Response, name: string): Promise<void> {
	const url = URL.createObjectURL(await response.blob());
	Object.assign(document.createElement('a'), { href: url, download: name }).click();
	URL.revokeObjectURL(url);
}
