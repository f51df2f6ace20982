export { ApplicationError, ErrorPage } from './error-page.tsx';
export { NotFound } from './not-found.tsx';
export { PremiumOnly } from './premium-only.tsx';
export { Suspended } from './suspended.tsx';
