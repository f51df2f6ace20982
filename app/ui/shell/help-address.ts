const HELP_PARAM = 'help';

/** This page with the list of keys over it. */
export function helpHref(pathname: string, search: string): string {
  const params = new URLSearchParams(search);
  params.set(HELP_PARAM, 'keys');
  return `${pathname}?${params.toString()}`;
}

export const isHelpShown = (search: string): boolean =>
  new URLSearchParams(search).get(HELP_PARAM) === 'keys';

/** The page under the list. */
export function withoutHelp(pathname: string, search: string): string {
  const params = new URLSearchParams(search);
  params.delete(HELP_PARAM);
  const rest = params.toString();
  return rest ? `${pathname}?${rest}` : pathname;
}
