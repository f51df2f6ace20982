/** What the boundaries say when something breaks, and what can be done then. */
export const ERROR_WORDS = {
  title: 'Something went wrong',
  application: 'Application Error: Something went wrong. Please refresh the page.',
  nothingLost: 'What you entered is not lost: go back one page to find it.',
  refresh: 'Refresh Page',
  again: 'Try Again',
  withoutFilters: 'Open without search and filters',
  toDashboard: 'Back to Dashboard',
  adminData: 'Error loading admin data',
} as const;

/** A part of a page cannot be shown. @param name in the reader's words: "The chart" */
export const sectionFailed = (name: string): string => `${name} cannot be shown. The rest of the page works.`;

export const supportReference = (requestId: string): string => `Reference for support: ${requestId}`;
