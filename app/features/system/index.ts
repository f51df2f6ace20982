export { AnnouncementList, type AnnouncementView } from './announcement-list.tsx';
export { ApiDocsPage } from './api-docs-page.tsx';
