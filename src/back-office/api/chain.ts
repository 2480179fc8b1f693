/** The chain's name (`CHAIN_NAME`), as the page was served; undefined without one. */
export const chainName = document.querySelector<HTMLMetaElement>('meta[name="chain-name"]')?.content || undefined;

/** What the pages are called where the chain has no name. */
const productName = '门店管理后台';

/** What stands on the sign-in, above the menu and at the end of each title. */
export const pageName = chainName ?? productName;

/** What stands below the chain's name. */
export const subtitle = chainName && productName;
