export { AdminLoginForm } from './admin-login-form.tsx';
export { LoginForm } from './login-form.tsx';
export { RegisterForm } from './register-form.tsx';
