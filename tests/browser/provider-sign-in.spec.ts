import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, expectSoundPage, openPage } from '#tests/support/browser.ts';
import { CLIENT_SECRET, startProvider, type TestProvider } from '#tests/support/identity-provider.ts';
import { freePort, startServer, type RunningServer } from '#tests/support/server.ts';

let house: TestProvider;
let server: RunningServer;
beforeAll(async () => {
  const port = await freePort();
  const site = `http://localhost:${port}`;
  house = await startProvider({ redirectUris: [`${site}/sign-in/oidc`] });
  server = await startServer({
    port,
    env: {
      APP_URL: site,
      OIDC_ISSUER: house.issuer,
      OIDC_CLIENT_ID: 'vialbook',
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Our house',
    },
  });
});
afterAll(async () => {
  await server.stop();
  await house.stop();
});

it.each([
  ['with scripts', { scripts: true, ...DESKTOP }],
  ['without scripts', { scripts: false, ...DESKTOP }],
])('%s somebody gets an account with a provider, and signs out of both', async (name, view) => {
  const site = server.url;
  const person = view.scripts ? 'ada' : 'bert';
  await house.be(person, `${person}@example.org`);
  const { page, problems } = await openPage(view);
  const press = (label: string) => page.getByRole('button', { name: label, exact: true }).click();
  await page.goto(`${site}/login?redirectTo=%2Fdashboard%2Fvials`);
  await expectSoundPage(page, `sign-in ${name}`, view.scripts);
  await press('Sign in with Our house');
  await page.getByText(`With Our house, for ${person}@example.org.`).waitFor();
  await expectSoundPage(page, `registration ${name}`, view.scripts);
  await page.getByLabel('I am 18 or older').check();
  await page.getByLabel('I agree to the').check();
  await press('Create account');
  await page.waitForURL(`${site}/dashboard/vials`);
  await page.goto(`${site}/dashboard/profile/security`);
  await page.getByText(`As ${person}@example.org.`).waitFor();
  await expectSoundPage(page, `security ${name}`, view.scripts);
  await press('Sign out');
  await page.getByText('You may still be signed in at Our house.').waitFor();
  expect(problems).toEqual([]);
  await press('Sign out of Our house');
  await page.waitForURL(`${house.issuer}/session/end**`);
});
