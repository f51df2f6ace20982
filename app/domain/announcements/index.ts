export {
  AUDIENCES,
  announcementsFor,
  announcementState,
  type Announcement,
  type AnnouncementState,
  type Audience,
} from './announcement.ts';
