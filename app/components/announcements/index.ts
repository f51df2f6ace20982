export { AnnouncementList, type AnnouncementView } from './announcement-list.tsx';
