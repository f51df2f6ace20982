import { AsyncLocalStorage } from 'node:async_hooks';
import { redirect, redirectDocument } from '@remix-run/node';
import { Authenticator } from 'remix-auth';
import { FormStrategy } from 'remix-auth-form';
import { ACCOUNT_MESSAGES, type SignInInput } from '#app/domain/accounts/account-schema.ts';
import { isSecondFactorRequired } from '#app/domain/accounts/account.ts';
import { SECOND_FACTOR_MESSAGES } from '#app/domain/accounts/second-factor.ts';
import { passkeyUseSchema, type PasskeySignInInput } from '#app/domain/accounts/passkey-schema.ts';
import {
  codeFormSchema,
  registerFormSchema,
  signInFormSchema,
} from '#app/domain/accounts/sign-in-form-schema.ts';
import type { ErrorCode } from '#app/domain/errors.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { flash, submit, toErrorPage } from '#app/platform/http/forms.server.ts';
import { forgetForm, readKeptForm, type KeptForm } from '#app/platform/http/kept-form.server.ts';
import {
  ADMIN_LOGIN_PATH,
  orWhenNotFound,
  SECOND_FACTOR_PATH,
  type PageArgs,
  type UserPageArgs,
} from '#app/platform/http/route-handlers.server.ts';
import { pageAddress, safeRedirect } from '#app/platform/http/addresses.ts';
import {
  challengeCookie,
  DEVICE_DATA,
  deviceCookie,
  readChallengeCookie,
  readDeviceCookie,
  readRememberedEmail,
  readSessionToken,
  rememberedEmailCookie,
  sessionCookie,
} from '#app/platform/http/session.server.ts';
import { isOthersDevice } from './known-client.server.ts';
import { addPasskeyOptions, confirmPasskeyOptions, signInPasskeyOptions } from './passkeys.server.ts';
import { register } from './registration.server.ts';
import {
  beginAdminSignIn,
  beginSignIn,
  checkChallenge,
  completeSignIn,
  completeSignInWithPasskey,
  secondStepPasskeyOptions,
  signInAdminWithPasskey,
  signInWithPasskey,
  type BrowserTokens,
  type SignedIn,
  type SignInStep,
} from './sign-in.server.ts';

/** The pages of one of the two sign-ins; `home` opens when no other page was requested. */
interface SignInPaths {
  login: string;
  code: string;
  home: string;
}

export const USER_SIGN_IN: SignInPaths = { login: '/login', code: '/login/code', home: '/dashboard' };
export const ADMIN_SIGN_IN: SignInPaths = {
  login: ADMIN_LOGIN_PATH,
  code: `${ADMIN_LOGIN_PATH}/code`,
  home: '/admin/dashboard',
};

/** Handles the login form: continues to the code page or into the app, or shows the form again. */
export const submitLogin = (page: PageArgs) => authenticate(page, 'login');

/** Handles the login form of the admin area. Only administrators get a session. */
export const submitAdminLogin = (page: PageArgs) => authenticate(page, 'admin-login');

/** Handles the registration form: continues into the app with the new account, or shows the form again. */
export const submitRegistration = (page: PageArgs) => authenticate(page, 'registration');

/** Opens the code page. Signed-in users see it too, because they may be signing in to another account. */
export async function openCodePage({ request, ctx }: PageArgs, paths: SignInPaths) {
  return orWhenNotFound(
    async () => checkChallenge(ctx, await readChallengeCookie(request)),
    () => startAgain(paths),
  );
}

/** Handles the code form: continues to the requested page, or shows the form again. */
export function submitCode(page: PageArgs, paths: SignInPaths) {
  return orWhenNotFound(
    async () => {
      await checkChallenge(page.ctx, await readChallengeCookie(page.request));
      return authenticate(page, paths === ADMIN_SIGN_IN ? 'admin-code' : 'code');
    },
    () => startAgain(paths),
  );
}

/** Sends users who took too long, or never entered a password, back to the password. */
async function startAgain(paths: SignInPaths): Promise<never> {
  const headers = new Headers({ 'Set-Cookie': await challengeCookie(null) });
  headers.append('Set-Cookie', await flash('warning', SECOND_FACTOR_MESSAGES.again));
  throw redirect(paths.login, { headers });
}

/** Continues into a newly created account, with the new session in the browser. */
export const enterAccount = (page: PageArgs, signedIn: SignedIn) => enter(page, signedIn, null, USER_SIGN_IN);

/** Continues to the code page. */
export async function askForCode(
  challenge: string,
  redirectTo: string | null,
  paths: SignInPaths,
): Promise<ReturnType<typeof redirect>> {
  const target = redirectTo === null ? null : safeRedirect(redirectTo, paths.home);
  const search = target === null ? '' : `?redirectTo=${encodeURIComponent(target)}`;
  return redirect(`${paths.code}${search}`, { headers: { 'Set-Cookie': await challengeCookie(challenge) } });
}

/**
 * Continues to the requested page, with the new session in the browser. If somebody else signed in here last, the data
 * the browser keeps of them is cleared before any of the new page runs, by loading the whole page.
 */
export async function enter(
  { request, ctx }: PageArgs,
  { token, session, deviceToken, user }: SignedIn,
  redirectTo: string | null,
  paths: SignInPaths,
): Promise<ReturnType<typeof redirect>> {
  const isOthers = isOthersDevice(ctx.secret, user.id, await readDeviceCookie(request));
  const headers = new Headers(isOthers ? { 'Clear-Site-Data': DEVICE_DATA } : {});
  headers.append('Set-Cookie', await sessionCookie(token, session));
  headers.append('Set-Cookie', await deviceCookie(deviceToken));
  if (session.remember) headers.append('Set-Cookie', await rememberedEmailCookie(user.email));
  else if ((await readRememberedEmail(request)) !== null)
    headers.append('Set-Cookie', await rememberedEmailCookie(null));
  // The admin area is closed to admins without a second factor, so they set that up first.
  const mustSetUp = isSecondFactorRequired(user.role, ctx.appUrl) && !user.secondFactor;
  const destination = safeRedirect(redirectTo, paths.home);
  const savedForm = await findKeptForm(ctx, request, user.id);
  if (savedForm === null) for (const line of await forgetForm(request)) headers.append('Set-Cookie', line);
  const isUnfinished =
    savedForm !== null && savedForm.address === destination && typedIn(savedForm).length > 0;
  const target = mustSetUp ? SECOND_FACTOR_PATH : isUnfinished ? FINISH_PATH : destination;
  return isOthers ? redirectDocument(target, { headers }) : redirect(target, { headers });
}

/** The page that finishes a form whose session ended before it was sent. */
const FINISH_PATH = '/dashboard/finish';

/** The form that this browser keeps for a user. Nobody may read what another person typed. */
async function findKeptForm(ctx: Ctx, request: Request, userId: string): Promise<KeptForm | null> {
  const savedForm = await readKeptForm(request);
  return savedForm?.deviceToken && !isOthersDevice(ctx.secret, userId, savedForm.deviceToken)
    ? savedForm
    : null;
}

/** Form fields that users do not fill in themselves. */
const HIDDEN_FIELDS =
  /^(intent|mode|step|from|seen|asOf|confirmed|original|revision|saveKey|idempotencyKey|redirectTo)$/;
const IS_ID = /^[a-z]+_[0-9A-Za-z]{8,}$/;

/** What the user typed or chose, with readable names: "Peptide amount", "5". */
function typedIn({ fields }: KeptForm): { name: string; value: string }[] {
  return fields
    .filter(([name, value]) => value.trim() !== '' && !HIDDEN_FIELDS.test(name) && !IS_ID.test(value))
    .map(([name, value]) => {
      const [first = ''] = name.split(/[-_]/, 1);
      const words = first.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      return { name: words.charAt(0).toUpperCase() + words.slice(1), value };
    });
}

/** Why a user who sent a form has to sign in again; null if no form was sent on the way to this page. */
export async function signedOutNotice(request: Request, target: string | null): Promise<string | null> {
  const savedForm = target === null ? null : await readKeptForm(request);
  if (savedForm === null || savedForm.address !== target) return null;
  return savedForm.lost === 'length' ? ACCOUNT_MESSAGES.signedOutLong : ACCOUNT_MESSAGES.signedOut;
}

/** The unfinished form to send again: its address, its fields, and what was typed in readable form. */
export async function openFinishPage({ request, ctx, user }: UserPageArgs) {
  const savedForm = await findKeptForm(ctx, request, user.id);
  if (savedForm === null) throw redirect(USER_SIGN_IN.home);
  const { address, fields, lost } = savedForm;
  const typed = typedIn(savedForm);
  // The router needs `?index` for forms of index routes, and removes it elsewhere.
  return {
    address,
    action: pageAddress(...splitAddress(address)),
    fields,
    typed,
    isFileLost: lost === 'file',
  };
}

function splitAddress(address: string): [path: string, search: URLSearchParams, changes: { index: string }] {
  const [path = '', query = ''] = address.split('?', 2);
  return [path, new URLSearchParams(query), { index: '' }];
}

/**
 * Options for the browser's script to use or create a passkey.
 * @throws AppError INVALID_INPUT for an unknown use; UNAUTHENTICATED, RECENT_SIGN_IN_REQUIRED, NOT_FOUND, RATE_LIMITED
 */
export function passkeyOptionsAnswer({ request, ctx }: PageArgs): Promise<Response> {
  return submit(
    request,
    passkeyUseSchema,
    async ({ use }) => {
      switch (use) {
        case 'sign-in':
          return Response.json(await signInPasskeyOptions(ctx));
        case 'second-step':
          return Response.json(await secondStepPasskeyOptions(ctx, await readChallengeCookie(request)));
        case 'confirm':
          return Response.json(await confirmPasskeyOptions(ctx));
        case 'add':
          return Response.json(await addPasskeyOptions(ctx));
      }
    },
    { refused: toErrorPage },
  );
}

/** Tokens that the browser sends in addition to the form. */
async function tokensOf(request: Request) {
  return { deviceToken: await readDeviceCookie(request), currentToken: await readSessionToken(request) };
}

/** A form says why a correct password does not open the account. */
const also: readonly ErrorCode[] = ['SUSPENDED', 'FORBIDDEN'];

interface Ways {
  byPassword: (ctx: Ctx, input: SignInInput, tokens: BrowserTokens) => Promise<SignInStep>;
  byPasskey: (ctx: Ctx, input: PasskeySignInInput, tokens: BrowserTokens) => Promise<SignInStep>;
}

/** The first step of a sign-in. */
const signInForm =
  (paths: SignInPaths, { byPassword, byPasskey }: Ways) =>
  (page: PageArgs) =>
    submit(
      page.request,
      signInFormSchema,
      async ({ redirectTo = null, ...input }) => {
        const tokens = await tokensOf(page.request);
        const step =
          input.intent === 'passkey'
            ? await byPasskey(page.ctx, input, tokens)
            : await byPassword(page.ctx, input, tokens);
        return step.next === 'done'
          ? enter(page, step.signedIn, redirectTo, paths)
          : askForCode(step.challenge, redirectTo, paths);
      },
      { also },
    );

/** The second step, with a code or a passkey. */
const codeForm = (paths: SignInPaths) => (page: PageArgs) =>
  submit(page.request, codeFormSchema, async (input) => {
    const { request, ctx, url } = page;
    const [challenge, { currentToken }] = [await readChallengeCookie(request), await tokensOf(request)];
    const signedIn =
      input.intent === 'passkey'
        ? await completeSignInWithPasskey(ctx, challenge, input, currentToken)
        : await completeSignIn(ctx, challenge, input, currentToken);
    const answer = await enter(page, signedIn, url.searchParams.get('redirectTo'), paths);
    answer.headers.append('Set-Cookie', await challengeCookie(null));
    return answer;
  });

const registrationForm = (page: PageArgs) =>
  submit(
    page.request,
    registerFormSchema,
    async ({ redirectTo = null, ...input }) =>
      enter(page, await register(page.ctx, input), redirectTo, USER_SIGN_IN),
    { also },
  );

/** The answer to a form that checks credentials: a redirect, or the form again. */
type Answer = Awaited<ReturnType<typeof registrationForm>>;

/** A strategy gets only a copy of the request; this is the page that it belongs to. */
const pages = new AsyncLocalStorage<PageArgs>();

/** A strategy of remix-auth for one form, which `submit` reads and answers. */
class CredentialsStrategy extends FormStrategy<Answer> {
  constructor(answer: (page: PageArgs) => Promise<Answer>) {
    super(({ request }) => {
      const page = pages.getStore();
      if (page === undefined) throw new Error('A request was authenticated without its page.');
      return answer({ ...page, request });
    });
  }

  override authenticate(request: Request): Promise<Answer> {
    return this.verify({ form: new FormData(), request });
  }
}

const signIn = { byPassword: beginSignIn, byPasskey: signInWithPasskey };
const adminSignIn = { byPassword: beginAdminSignIn, byPasskey: signInAdminWithPasskey };

const authenticator = new Authenticator<Answer>()
  .use(new CredentialsStrategy(signInForm(USER_SIGN_IN, signIn)), 'login')
  .use(new CredentialsStrategy(signInForm(ADMIN_SIGN_IN, adminSignIn)), 'admin-login')
  .use(new CredentialsStrategy(registrationForm), 'registration')
  .use(new CredentialsStrategy(codeForm(USER_SIGN_IN)), 'code')
  .use(new CredentialsStrategy(codeForm(ADMIN_SIGN_IN)), 'admin-code');

type StrategyName = 'login' | 'admin-login' | 'registration' | 'code' | 'admin-code';

/**
 * Reads a form, checks its credentials and signs in, with the named strategy.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, INVALID_INPUT for a body that is not a form, NOT_FOUND for an expired challenge
 */
function authenticate(page: PageArgs, name: StrategyName): Promise<Answer> {
  return pages.run(page, () => authenticator.authenticate(name, page.request));
}
