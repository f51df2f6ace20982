export { ConfirmForm } from './confirm-form.tsx';
export { DetailsForm } from './details-form.tsx';
export { EndSession } from './end-session.tsx';
export { PasswordForm } from './password-form.tsx';
export { ProfileSubPage } from './profile-sub-page.tsx';
export { SessionList, type SessionRow } from './session-list.tsx';
