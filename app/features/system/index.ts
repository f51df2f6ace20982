export { AnnouncementList, type AnnouncementView } from './announcement-list.tsx';
export { ApiDocsPage } from './api-docs/api-docs-page.tsx';
