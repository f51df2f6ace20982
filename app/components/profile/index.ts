export { AccessLogTable, type AccessLogRow } from './access-log-table.tsx';
export { ConfirmForm } from './confirm-form.tsx';
export { DeleteForm, DeletionNotice } from './deletion.tsx';
export { DetailsForm } from './details-form.tsx';
export { EndSession } from './end-session.tsx';
export { PasswordForm } from './password-form.tsx';
export { ProfileLinks } from './profile-links.tsx';
export { ProfileSubPage } from './profile-sub-page.tsx';
export { SessionList, type SessionRow } from './session-list.tsx';
