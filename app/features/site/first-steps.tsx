import { Form, Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { BEGIN_PATH, type FirstStep } from '#app/domain/accounts/account.ts';
import { Button, LinkButton } from '#app/ui/button.tsx';
import { MarginSection } from '#app/ui/margin-section.tsx';
import { Measured } from '#app/ui/figure.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';

interface ShownStep {
  step: FirstStep;
  state: 'open' | 'done' | 'skipped';
}

/** How far somebody has come who has just begun. */
export interface FirstStepsView {
  /** The steps that the account may take. */
  steps: readonly ShownStep[];
  isPremium: boolean;
}

const WORDS: Readonly<Record<FirstStep, { title: string; text: string; label: string }>> = {
  vial: {
    title: 'What is in your vial',
    text: 'Name, amount and water. Each dose is then subtracted, and you see when the vial runs out.',
    label: 'Add your vial',
  },
  plan: {
    title: 'Your plan',
    text: 'How much, how often and at what time. Today then shows what is due and what to draw.',
    label: 'Make a plan',
  },
  reminders: {
    title: 'How to be reminded',
    text: 'In the page, by mail or on your phone, and how long before a dose.',
    label: 'Choose reminders',
  },
};

const STATE_WORDS = { done: 'Done', skipped: 'Skipped' } as const;

/** What a free account is not led through. */
function PremiumLine() {
  return (
    <p className="mt-4 max-w-prose text-soft">
      Plans and reminders are part of Premium. The first 14 days are free and need no card.{' '}
      <Link to="/upgrade" className="inline-flex min-h-11 items-center">
        See Premium
      </Link>
    </p>
  );
}

/** Says no to one step, or to all that are left. It is remembered. */
function SkipForm({ action, label }: { action: string; label: string }) {
  return (
    <Form method="post" action={action}>
      <Button name="intent" value="skip" variant="plain">
        {label}
      </Button>
    </Form>
  );
}

/** Above the calculator, which stays the first thing on the page: the way to the steps. */
export const FirstStepsLine = () => (
  <p>
    <Link to={BEGIN_PATH} className="inline-flex min-h-11 items-center">
      New here? Take the first steps
    </Link>
  </p>
);

/** What a new account can begin with, under the calculator. None of it has to be done. */
export function FirstSteps({ view: { steps, isPremium } }: { view: FirstStepsView }) {
  const next = steps.find(({ state }) => state === 'open');
  return (
    <MarginSection id="first-steps" title="First steps">
      <p className="mb-4 max-w-prose text-soft">
        In any order, and each can wait: the calculator works without them.
      </p>
      <ol className="grid gap-4 sm:grid-cols-3">
        {steps.map(({ step, state }, place) => (
          <li key={step} className="sheet flex flex-col p-4">
            <h3>{`${place + 1}. ${WORDS[step].title}`}</h3>
            <p className="mt-1 mb-4 text-soft">{WORDS[step].text}</p>
            {state === 'open' ? (
              <LinkButton
                to={`${BEGIN_PATH}?step=${step}`}
                className="mt-auto w-full"
                {...(step === next?.step && { variant: 'primary' })}
              >
                {WORDS[step].label}
              </LinkButton>
            ) : (
              <p className="mt-auto font-semibold">{STATE_WORDS[state]}</p>
            )}
          </li>
        ))}
      </ol>
      {isPremium ? null : <PremiumLine />}
      <div className="mt-2">
        <SkipForm action={BEGIN_PATH} label="Skip the first steps" />
      </div>
    </MarginSection>
  );
}

/** What the page that leads through the steps shows. */
export interface BeginView {
  steps: readonly (ShownStep & { href: string })[];
  /** The step whose form is shown. */
  current: FirstStep;
  skipAllAction: string;
  isPremium: boolean;
}

interface BeginPageProps {
  view: BeginView;
  /** Above the steps: what came along from before the registration. */
  calculation?: ReactNode;
  /** The form of the current step. */
  children: ReactNode;
}

/** The first steps on one page, the current one as the ordinary form of its noun. */
export function BeginPage({
  view: { steps, current, skipAllAction, isPremium },
  calculation,
  children,
}: BeginPageProps) {
  return (
    <>
      <PageTitle actions={steps.length > 1 ? <SkipForm action={skipAllAction} label="Skip all" /> : null}>
        First steps
      </PageTitle>
      <div className="grid max-w-3xl grid-cols-1 gap-4">
        {calculation}
        <ol className="grid grid-cols-1 gap-4">
          {steps.map(({ step, state, href }, place) => (
            <li
              key={step}
              className="sheet grid grid-cols-1 gap-4 p-4 sm:p-5"
              aria-current={step === current ? 'step' : undefined}
            >
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <h2>{`${place + 1}. ${WORDS[step].title}`}</h2>
                {state === 'open' ? null : <p className="font-semibold">{STATE_WORDS[state]}</p>}
              </div>
              {step === current ? (
                <>
                  <p className="text-soft">{WORDS[step].text}</p>
                  {children}
                  <SkipForm action={href} label="Skip this step" />
                </>
              ) : state === 'done' ? null : (
                <p>
                  <Link to={href} className="inline-flex min-h-11 items-center">
                    {WORDS[step].label}
                  </Link>
                </p>
              )}
            </li>
          ))}
        </ol>
        {isPremium ? null : <PremiumLine />}
      </div>
    </>
  );
}

interface CarriedCalculationProps {
  /** In one line. */
  summary: string;
  /** Takes the form that keeps it. */
  action: string;
  saveKey: string;
  /** It has been kept. */
  isKept: boolean;
  /** It goes with the session. */
  isSessionOnly: boolean;
}

/** The calculation that somebody made before they had an account. */
export function CarriedCalculation({
  summary,
  action,
  saveKey,
  isKept,
  isSessionOnly,
}: CarriedCalculationProps) {
  return (
    <section aria-labelledby="carried-title" className="sheet grid grid-cols-1 gap-3 p-4 sm:p-5">
      <h2 id="carried-title">Your calculation</h2>
      <p>
        <Measured text={summary} />
      </p>
      {isKept ? (
        <p>
          It is kept.{' '}
          <Link to="/dashboard/calculator?history=1#history" className="inline-flex min-h-11 items-center">
            Show history
          </Link>
        </p>
      ) : (
        <Form method="post" action={action} className="flex flex-wrap items-center gap-3">
          <input type="hidden" name="saveKey" value={saveKey} />
          <Button name="intent" value="keep" variant="primary">
            Keep this calculation
          </Button>
          {isSessionOnly ? (
            <span className="text-soft">Until you sign out; with Premium for good.</span>
          ) : null}
        </Form>
      )}
    </section>
  );
}
