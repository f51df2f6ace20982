export { ConfirmDelete } from './confirm-delete.tsx';
export { NextSite } from './sites/next-site.tsx';
export { SiteChoiceForm } from './sites/site-choice-form.tsx';
export { SiteForm } from './sites/site-form.tsx';
export { SiteHistory } from './sites/site-history.tsx';
export { TrackingPage } from './tracking-page.tsx';
