import { siteName } from './sites.ts';
import { REST_DAYS, type SiteSuggestion } from './suggest-site.ts';
import { plural } from '#app/domain/text/plural.ts';

/** A suggestion and its reason as sentences. */
export function suggestionText({ site, why, days }: SiteSuggestion): { title: string; reason: string } {
  const title = siteName(site);
  const rested = plural(days ?? 0, 'day');
  if (why === 'unused') return { title, reason: 'You have not used this site yet.' };
  if (why === 'rested')
    return { title, reason: `This site has rested longest: ${rested}. Aim for at least ${REST_DAYS}.` };
  return {
    title,
    reason:
      days === 0
        ? `None of your sites has rested ${REST_DAYS} days. All were used today; this one was used first.`
        : `None of your sites has rested ${REST_DAYS} days. This one has rested longest: ${rested}.`,
  };
}
