import { siteName } from './sites.ts';
import { REST_DAYS, type SiteSuggestion } from './suggest-site.ts';

/** A suggestion and its reason as sentences. */
export function suggestionText({ site, why, days }: SiteSuggestion): { title: string; reason: string } {
  const title = siteName(site);
  const rested = days === 1 ? '1 day' : `${days ?? 0} days`;
  if (why === 'unused') return { title, reason: 'Not used yet, and the first such site of your list.' };
  if (why === 'rested')
    return { title, reason: `Rested longest of your sites: ${rested}, at least ${REST_DAYS} are wanted.` };
  return {
    title,
    reason:
      days === 0
        ? `None of your sites has rested ${REST_DAYS} days; all were used today, this one first.`
        : `None of your sites has rested ${REST_DAYS} days; this one rested longest, ${rested}.`,
  };
}
