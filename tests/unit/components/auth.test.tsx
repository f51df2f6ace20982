import { parseWithZod } from '@conform-to/zod/v4';
import type { ReactElement } from 'react';
import { describe, expect, it } from 'vitest';

import { AdminLoginForm, LoginForm } from '#app/features/accounts/sign-in-forms.tsx';
import { RegisterForm } from '#app/features/accounts/register-form.tsx';
import { registerSchema, signInSchema } from '#app/domain/accounts/account-schema.ts';
import { tagWith, tags, componentText } from '#tests/support/html.ts';
import { renderPage } from './render-page.tsx';

const data = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};
const names = (element: ReactElement) => tags(renderPage(element), 'input').map((tag) => tag['name']);

describe('sign-in', () => {
  it('has the specified fields and no native validation', () => {
    expect(names(<LoginForm />)).toEqual(['email', 'password', 'remember']);
    const html = renderPage(<LoginForm forgotHref="/forgot-password" redirectTo="/dashboard/export" />);
    expect(tagWith(html, 'form', 'id', 'login')).toMatchObject({ method: 'post', novalidate: '' });
    expect(html).not.toContain('required=""');
    expect(tagWith(html, 'input', 'name', 'redirectTo')['value']).toBe('/dashboard/export');
    expect(html).toContain('href="/forgot-password"');
    expect(html).toContain('href="/register?redirectTo=%2Fdashboard%2Fexport"');
  });

  it('shows each message at its field, and keeps the email but never the password', () => {
    const submission = parseWithZod(
      data({ email: 'someone@example.org', password: 'short', remember: 'on' }),
      {
        schema: signInSchema,
      },
    );
    const html = renderPage(<LoginForm lastResult={submission.reply()} />);
    expect(componentText(html)).toContain('Password must be at least 6 characters');
    expect(tagWith(html, 'input', 'name', 'email')['value']).toBe('someone@example.org');
    expect(tagWith(html, 'input', 'name', 'remember')['checked']).toBe('');
    const password = tagWith(html, 'input', 'name', 'password');
    expect(password['aria-invalid']).toBe('true');
    expect(password['value']).toBeUndefined();
    expect(html).not.toContain('short');
  });

  it('announces a rejection above the form', () => {
    const submission = parseWithZod(data({ email: 'a@b.cd', password: 'long enough' }), {
      schema: signInSchema,
    });
    const html = renderPage(
      <LoginForm lastResult={submission.reply({ formErrors: ['Invalid email or password'] })} />,
    );
    expect(html).toMatch(/role="alert".*Invalid email or password/s);
    expect(html).not.toContain('long enough');
  });
});

describe('registration', () => {
  it('has the specified fields, both checkboxes and the warning', () => {
    expect(names(<RegisterForm />)).toEqual([
      'email',
      'password',
      'confirmPassword',
      'ageVerification',
      'agreeToTerms',
    ]);
    const html = renderPage(<RegisterForm />);
    expect(componentText(html)).toContain('Research use only');
    expect(componentText(html)).toContain('Longer is safer');
    for (const page of ['/terms', '/privacy']) expect(tagWith(html, 'a', 'href', page)).toBeDefined();
  });

  it('passes on trial and referral', () => {
    const html = renderPage(<RegisterForm plan="trial" referral="ABC" />);
    expect(tagWith(html, 'input', 'name', 'plan')['value']).toBe('trial');
    expect(tagWith(html, 'input', 'name', 'ref')['value']).toBe('ABC');
    expect(componentText(html)).toContain('Start free trial');
  });

  it('reports missing fields in the specified words and echoes no password', () => {
    const sent = data({ email: '', password: 'secret-one', confirmPassword: 'secret-two' });
    const html = renderPage(
      <RegisterForm lastResult={parseWithZod(sent, { schema: registerSchema }).reply()} />,
    );
    const text = componentText(html);
    expect(text).toContain('Please fill in all fields');
    expect(text).toContain('You must be 18 or older to use this service');
    expect(text).toContain('You must agree to the Terms of Service');
    expect(html).not.toMatch(/secret-(one|two)/);
    expect(tagWith(html, 'input', 'name', 'ageVerification')['aria-describedby']).toContain(
      'ageVerification-error',
    );
  });
});

describe('admin sign-in', () => {
  it('lets the browser require both fields, and links back', () => {
    const html = renderPage(<AdminLoginForm />);
    for (const name of ['email', 'password'])
      expect(tagWith(html, 'input', 'name', name)['required']).toBe('');
    expect(componentText(html)).toContain('Sign in to Admin');
    expect(tagWith(html, 'a', 'href', '/')).toBeDefined();
  });

  it('shows a refusal', () => {
    const message = 'Access denied. Admin privileges required.';
    const html = renderPage(<AdminLoginForm lastResult={{ status: 'error', error: { '': [message] } }} />);
    expect(componentText(html)).toContain(message);
  });
});
