export { ForgotPasswordForm, ResetLinkOver, ResetPasswordForm } from './sign-in-forms.tsx';
export { AccessLogTable } from './profile/access-log-table.tsx';
export { ApiTokenForm, ApiTokenList, ApiTokenSecret, RevokeToken } from './profile/api-tokens.tsx';
export { DeletionBar, UnconfirmedEmail } from './profile/account-bars.tsx';
export { DeleteForm } from './profile/deletion.tsx';
export { ConfirmEmail, ConfirmOwnEmail, EmailForm, EmailLinkOver } from './profile/email-change.tsx';
export { NotificationsForm } from './profile/notifications-form.tsx';
export { AddPasskeyForm } from './profile/passkey-form.tsx';
export { IdentityList, RemoveIdentity } from './profile/identities.tsx';
export { PasskeyList, RemovePasskey } from './profile/passkeys.tsx';
export { ConfirmForm, FirstPasswordForm, PasswordForm } from './profile/password-forms.tsx';
export { DetailsForm, UnitsForm } from './profile/details-form.tsx';
export { RemoveSyringe, SyringeForm, SyringeList } from './profile/syringes.tsx';
export {
  PROFILE_PARTS,
  ProfileLinks,
  ProfileSubPage,
  ProfileTitle,
  type ProfilePart,
} from './profile/profile-list.tsx';
export {
  RecoveryCodes,
  SecondFactorOff,
  SecondFactorOn,
  SecondFactorSetup,
  SecondFactorTurnOff,
} from './profile/second-factor.tsx';
export { EndSession, SessionList } from './profile/sessions.tsx';
export { ConnectPage, LeaveForProgram, NoSuchProgram } from './connect-page.tsx';
export { FinishForm } from './finish-form.tsx';
export { LeaveProvider } from './provider-buttons.tsx';
export { LeaveForProvider, NothingUnderWay, ProviderRegistration } from './provider-page.tsx';
export { NoSignUp, RegisterForm } from './register-form.tsx';
export { isFirstAttempt, isUnreachable } from './sign-in-connection.client.ts';
export { AdminLoginForm, CodeForm, LoginForm } from './sign-in-forms.tsx';
