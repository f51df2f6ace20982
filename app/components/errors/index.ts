export { ComponentError, isModuleError } from './component-error.tsx';
export { ApplicationError, ErrorPage } from './error-page.tsx';
export { NotFound } from './not-found.tsx';
export { PremiumOnly } from './premium-only.tsx';
export { RouteErrorPage } from './route-error-page.tsx';
export { SectionBoundary } from './section-boundary.tsx';
export { StandalonePage } from './standalone-page.tsx';
export { Suspended } from './suspended.tsx';
