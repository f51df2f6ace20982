import { describe, expect, it } from 'vitest';
import { fieldError, visibleText } from '#tests/support/html.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { confirmLink, useOwnWeb } from './web.ts';

const web = useOwnWeb({ LOG_LEVEL: 'info' });

describe('changing the address without scripts', () => {
  it('starts in the profile and is confirmed through the mailed link, only by POST', async () => {
    const person = await web.user();
    const page = '/dashboard/profile/email';
    const refused = await person.post(page, { email: 'no address' });
    expect([refused.status, fieldError(refused.body, 'email')]).toEqual([400, 'Enter a valid email address']);
    const asked = await person.post(page, { email: 'elsewhere@example.org' });
    expect(asked.location).toBe('/dashboard/profile');
    const link = await confirmLink(web, 'elsewhere@example.org');
    const phone = web.visitor();
    expect(visibleText((await phone.get(link)).body)).toContain('Confirm your new email address');
    expect((await person.get('/dashboard')).body).not.toContain('elsewhere@example.org');
    expect((await phone.post(link)).location).toBe('/login');
    // The browser that did not open the link is signed out, as whoever sat at it is.
    expect((await person.get('/dashboard')).location).toBe('/login?redirectTo=%2Fdashboard');
    await person.post('/login', { email: 'elsewhere@example.org', password: PASSWORD });
    expect((await person.get('/dashboard')).body).toContain('Welcome, elsewhere@example.org');
    expect((await phone.post(link)).status).toBe(404);
    expect(web.server.output()).toContain('/confirm-email/[secret]');
    expect(web.server.output()).not.toContain(link);
  });
});
