export { AdminLoginForm } from './admin-login-form.tsx';
export { CodeForm } from './code-form.tsx';
export { ConfirmEmail, EmailLinkOver } from './confirm-email.tsx';
export { CONNECTION_MESSAGES, isUnreachable } from './connection-messages.ts';
export { ForgotPasswordForm } from './forgot-password-form.tsx';
export { LoginForm } from './login-form.tsx';
export { RegisterForm } from './register-form.tsx';
export { ResetLinkOver, ResetPasswordForm } from './reset-password-form.tsx';
