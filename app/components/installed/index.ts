export { AppNotices } from './app-notices.tsx';
