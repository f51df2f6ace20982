import { redirect } from '@remix-run/node';
import * as z from 'zod';
import { IDENTITY_MESSAGES, providerFormSchema } from '#app/domain/accounts/identity-schema.ts';
import { AppError, isAppError } from '#app/domain/errors.ts';
import { pageAddress, safeRedirect } from '#app/platform/http/addresses.ts';
import { done, flash, submit } from '#app/platform/http/forms.server.ts';
import { orWhenNotFound, type PageArgs } from '#app/platform/http/route-handlers.server.ts';
import {
  cookie,
  currentApp,
  readDeviceCookie,
  readSessionToken,
  sessionCookie,
} from '#app/platform/http/session.server.ts';
import {
  beginProviderVisit,
  endConfirmVisit,
  endLinkVisit,
  endSignInVisit,
  getProvider,
  openProviderRegistration,
  registerWithProvider,
  signOutAtProvider,
  type ProviderUse,
} from './provider-sign-in.server.ts';
import { askForCode, enter, USER_SIGN_IN } from './sign-in-pages.server.ts';

const text = z.string().max(2500);

/** What comes along from the page that somebody starts at to the one they end at. */
const carried = {
  provider: text,
  redirectTo: text.optional(),
  plan: z.literal('trial').optional(),
  ref: text.optional(),
  invite: text.optional(),
};

/** What the browser keeps between two pages of a sign-in with a provider. Signed, and gone after some minutes. */
const stepSchema = z.discriminatedUnion('at', [
  z.object({
    ...carried,
    at: z.literal('visit'),
    use: z.enum(['sign-in', 'link', 'confirm']),
    /** Of the provider, where the visit begins. */
    address: text,
    visit: z.object({ state: text, nonce: text, verifier: text, freshSince: z.number().nullable() }),
  }),
  z.object({ ...carried, at: z.literal('registration'), registration: text }),
  z.object({ ...carried, at: z.literal('sign-out'), address: text }),
]);

type Step = z.infer<typeof stepSchema>;

const MINUTES = 60;
const stepCookie = (minutes = 10) =>
  cookie('vialbook_provider', { maxAge: minutes * MINUTES, secrets: [currentApp().sessionSecret] });

const keepStep = (step: Step) => stepCookie(step.at === 'registration' ? 30 : 10).serialize(step);
const forgetStep = () => stepCookie().serialize('', { maxAge: 0 });

/** The step that this browser is at with a provider, if it is one of these. */
async function readStep<At extends Step['at']>(
  request: Request,
  provider: string,
  at: At,
): Promise<Extract<Step, { at: At }> | null> {
  const parsed = stepSchema.safeParse(await stepCookie().parse(request.headers.get('Cookie')));
  const step = parsed.success ? parsed.data : null;
  const is = (found: Step): found is Extract<Step, { at: At }> => found.at === at;
  return step !== null && step.provider === provider && is(step) ? step : null;
}

const elsewhereSchema = z.object({ provider: text, hasLeft: z.boolean() });

/** The provider that a browser is signed in at besides here, until it has signed out here; null forgets it. */
function elsewhereCookie(value: z.infer<typeof elsewhereSchema> | null): Promise<string> {
  const known = cookie('vialbook_elsewhere', value?.hasLeft ? { maxAge: 10 * MINUTES } : {});
  return known.serialize(value ?? '', value === null ? { maxAge: 0 } : {});
}

async function readElsewhere(request: Request): Promise<z.infer<typeof elsewhereSchema> | null> {
  const parsed = elsewhereSchema.safeParse(
    await cookie('vialbook_elsewhere').parse(request.headers.get('Cookie')),
  );
  return parsed.success ? parsed.data : null;
}

/** The cookie with which the next sign-in page offers to sign out of the provider, too; none for any other session. */
export async function leaveCookies(request: Request): Promise<string[]> {
  const elsewhere = await readElsewhere(request);
  return elsewhere === null ? [] : [await elsewhereCookie({ ...elsewhere, hasLeft: true })];
}

/** The provider that somebody who just signed out here may still be signed in at. */
export async function findLeftProvider({
  request,
  ctx,
}: PageArgs): Promise<{ id: string; name: string } | null> {
  const elsewhere = await readElsewhere(request);
  return elsewhere?.hasLeft ? (ctx.identityProviders.find(elsewhere.provider) ?? null) : null;
}

const SECURITY = '/dashboard/profile/security';
const CONFIRM = '/dashboard/profile/confirm';

const providerOf = ({ ctx, params }: PageArgs) => getProvider(ctx, params.provider ?? '');

/** The page to go back to when a visit does not work out. */
function pageBefore(use: ProviderUse | 'sign-out', redirectTo: string | undefined): string {
  if (use === 'link') return SECURITY;
  const search = new URLSearchParams(redirectTo === undefined ? {} : { redirectTo });
  return pageAddress(use === 'confirm' ? CONFIRM : USER_SIGN_IN.login, search);
}

/** Goes back and says why, where a visit does not work out. What only another page can settle is thrown on. */
async function backWith(error: unknown, address: string): Promise<never> {
  const isElsewhere = ['RECENT_SIGN_IN_REQUIRED', 'SUSPENDED', 'UNAUTHENTICATED'];
  if (!isAppError(error) || isElsewhere.includes(error.code)) throw error;
  const headers = new Headers({ 'Set-Cookie': await forgetStep() });
  headers.append('Set-Cookie', await flash('error', error.message));
  throw redirect(address, { headers });
}

/** Handles the buttons about one provider: leads to the page that sends the browser there, or creates the account. */
export async function submitProvider(page: PageArgs) {
  const { request, ctx } = page;
  const provider = providerOf(page).id;
  const here = `/sign-in/${provider}`;
  return submit(
    request,
    providerFormSchema,
    async (input) => {
      if (input.use === 'register') return createAccountFor(page, provider, input);
      const carriedOn = { provider, ...('redirectTo' in input ? { redirectTo: input.redirectTo } : {}) };
      try {
        if (input.use === 'sign-out') {
          const address = await signOutAtProvider(ctx, provider);
          const headers = new Headers({
            'Set-Cookie': await keepStep({ provider, at: 'sign-out', address }),
          });
          headers.append('Set-Cookie', await elsewhereCookie(null));
          return redirect(here, { headers });
        }
        const code = 'code' in input ? input.code : undefined;
        const begun = await beginProviderVisit(ctx, { provider, use: input.use, code });
        const { plan, ref, invite } = input.use === 'sign-in' ? input : {};
        const step = { ...carriedOn, plan, ref, invite, at: 'visit', use: input.use, ...begun } as const;
        return redirect(here, { headers: { 'Set-Cookie': await keepStep(step) } });
      } catch (error) {
        return backWith(error, pageBefore(input.use, carriedOn.redirectTo));
      }
    },
    { also: ['NOT_FOUND'] },
  );
}

async function createAccountFor(
  page: PageArgs,
  provider: string,
  { redirectTo, ...input }: Extract<z.output<typeof providerFormSchema>, { use: 'register' }>,
) {
  const step = await readStep(page.request, provider, 'registration');
  const signedIn = await registerWithProvider(page.ctx, step?.registration ?? '', input);
  const answer = await enter(page, signedIn, redirectTo ?? null, USER_SIGN_IN);
  answer.headers.append('Set-Cookie', await forgetStep());
  answer.headers.append('Set-Cookie', await elsewhereCookie({ provider, hasLeft: false }));
  return answer;
}

/**
 * Opens the page of a provider. It sends the browser to the provider, whose address no form may lead to; takes it back; or
 * asks somebody new to agree to the terms.
 */
export async function openProviderPage(page: PageArgs) {
  const { request, ctx, url } = page;
  const provider = providerOf(page);
  if (url.searchParams.has('state') || url.searchParams.has('error')) return endVisit(page, provider);
  const leave =
    (await readStep(request, provider.id, 'visit')) ?? (await readStep(request, provider.id, 'sign-out'));
  if (leave !== null) return { provider, address: leave.address, registration: null };
  const step = await readStep(request, provider.id, 'registration');
  const registration = await orWhenNotFound(
    () => openProviderRegistration(ctx, step?.registration ?? ''),
    () => null,
  );
  if (step === null || registration === null) return { provider, address: null, registration: null };
  const { plan, ref, invite, redirectTo } = step;
  return { provider, address: null, registration: { ...registration, plan, ref, invite, redirectTo } };
}

/** Takes a browser back from a provider, and leads it on. Nothing is shown at this address, which contains a code. */
async function endVisit(page: PageArgs, provider: { id: string; name: string }): Promise<never> {
  const { request, ctx, url } = page;
  const step = await readStep(request, provider.id, 'visit');
  if (step === null)
    return backWith(new AppError('INVALID_INPUT', IDENTITY_MESSAGES.again), USER_SIGN_IN.login);
  const { use, redirectTo } = step;
  const ended = { provider: provider.id, answer: url.searchParams, visit: step.visit };
  try {
    if (use === 'sign-in') throw await afterSignIn(page, step, ended);
    const forgotten = await forgetStep();
    if (use === 'link') {
      await endLinkVisit(ctx, ended);
      throw await done(SECURITY, `You can now sign in with ${provider.name}`, [forgotten]);
    }
    const { token, session } = await endConfirmVisit(ctx, ended, (await readSessionToken(request)) ?? '');
    const headers = new Headers({ 'Set-Cookie': await sessionCookie(token, session) });
    headers.append('Set-Cookie', forgotten);
    throw redirect(safeRedirect(redirectTo ?? null, '/dashboard/profile'), { headers });
  } catch (error) {
    return backWith(error, pageBefore(use, redirectTo));
  }
}

async function afterSignIn(
  page: PageArgs,
  step: Extract<Step, { at: 'visit' }>,
  ended: Parameters<typeof endSignInVisit>[1],
): Promise<Response> {
  const { request, ctx } = page;
  const { provider, redirectTo, plan, ref, invite } = step;
  const next = await endSignInVisit(ctx, ended, {
    deviceToken: await readDeviceCookie(request),
    currentToken: await readSessionToken(request),
    invite,
  });
  if (next.next === 'register') {
    const { registration } = next;
    const kept = { provider, redirectTo, plan, ref, invite, at: 'registration', registration } as const;
    return redirect(`/sign-in/${provider}`, { headers: { 'Set-Cookie': await keepStep(kept) } });
  }
  const answer =
    next.next === 'done'
      ? await enter(page, next.signedIn, redirectTo ?? null, USER_SIGN_IN)
      : await askForCode(next.challenge, redirectTo ?? null, USER_SIGN_IN);
  answer.headers.append('Set-Cookie', await forgetStep());
  answer.headers.append('Set-Cookie', await elsewhereCookie({ provider, hasLeft: false }));
  return answer;
}
