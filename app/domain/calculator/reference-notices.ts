/** Shown on every calculator, sign-in and registration page. */
export const RESEARCH_NOTICE = 'Research reference only, not medical advice. 18+';

/** Shown above the research reference table. */
export const RESEARCH_DISCLAIMER =
  'These figures are a research reference, collected from the sources named. They are not medical advice and not a recommendation for you.';

/** Shown below the research reference table. */
export const RESEARCH_SOURCE =
  'BPC-157, TB-500 and ipamorelin have no approved label; for semaglutide see its US prescribing information.';

/** Shown when the reference has no rows for a name. */
export const NO_REFERENCE = 'No reference for this name. Follow the label or protocol of your product.';
