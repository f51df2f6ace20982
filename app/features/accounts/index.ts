export { AdminLoginForm } from './admin-login-form.tsx';
export { CodeForm } from './code-form.tsx';
export { ConfirmEmail, EmailLinkOver } from './confirm-email.tsx';
export { CONNECTION_MESSAGES, isUnreachable } from './connection-messages.ts';
export { isFirstAttempt } from './first-sign-in.client.ts';
export { ForgotPasswordForm } from './forgot-password-form.tsx';
export { LoginForm } from './login-form.tsx';
export { AccessLogTable } from './profile/access-log-table.tsx';
export { ApiTokenForm, ApiTokenSecret } from './profile/api-token-form.tsx';
export { ApiTokenList } from './profile/api-token-list.tsx';
export { ConfirmForm } from './profile/confirm-form.tsx';
export { Question } from './profile/confirm-question.tsx';
export { DeleteForm, DeletionNotice } from './profile/deletion.tsx';
export { DetailsForm } from './profile/details-form.tsx';
export { EmailForm } from './profile/email-form.tsx';
export { EndSession } from './profile/end-session.tsx';
export { NotificationsForm } from './profile/notifications-form.tsx';
export { PasswordForm } from './profile/password-form.tsx';
export { ProfileLinks } from './profile/profile-links.tsx';
export { ProfileSubPage } from './profile/profile-sub-page.tsx';
export {
  RecoveryCodes,
  SecondFactorOff,
  SecondFactorOn,
  SecondFactorSetup,
} from './profile/second-factor.tsx';
export { SessionList } from './profile/session-list.tsx';
export { RegisterForm } from './register-form.tsx';
export { ResetLinkOver, ResetPasswordForm } from './reset-password-form.tsx';
