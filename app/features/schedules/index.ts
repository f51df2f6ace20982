export { ScheduleDetail } from './schedule-detail.tsx';
export { ScheduleForm } from './schedule-form.tsx';
export { ScheduleList, scheduleHref } from './schedule-list.tsx';
export { SchedulePage, ScheduleTabs } from './schedule-page.tsx';
export { TemplateForm, TemplateLists } from './templates.tsx';
export { TravelForm, TravelNotice } from './travel.tsx';
export { useReload } from './use-reload.ts';
export { FeedForms, FeedLink, NewFeedForm } from './calendar-feed.tsx';
