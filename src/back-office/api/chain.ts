/** The chain's name (`CHAIN_NAME`), as the page was served; undefined without one. */
export const chainName = document.querySelector<HTMLMetaElement>('meta[name="chain-name"]')?.content || undefined;

/** The name above the menu and at the end of each title. */
export const pageName = chainName ?? '门店管理后台';
