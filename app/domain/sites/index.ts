export { suggestionText } from './reason.ts';
export { recencyOf, sinceMark, sinceText, type Recency } from './recency.ts';
export { isSite, SITE_IDS, siteName, SITES, type Site, type SiteId } from './sites.ts';
export { REST_DAYS, suggestSite, type SiteSuggestion, type SiteUse, type SiteUses } from './suggest.ts';
