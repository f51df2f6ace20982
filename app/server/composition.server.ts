import type { Log } from '#app/domain/log.ts';
import type { Settings } from '#app/domain/settings/settings.ts';
import { deliverHere } from '#app/features/billing/index.server.ts';
import { createIdentityProviders } from '#app/integrations/identity-providers.server.ts';
import { createMailer, type Mailer } from '#app/integrations/mail.server.ts';
import { createOutgoingPosts, type OutgoingPosts } from '#app/integrations/outgoing.server.ts';
import { openPayments, type Payments } from '#app/integrations/payments.server.ts';
import type { PushSender } from '#app/integrations/push.server.ts';
import { createRemoteTexts, type RemoteTexts } from '#app/integrations/remote-text.server.ts';
import { contextFactory, type Caller, type Ctx } from '#app/platform/access/context.server.ts';
import { createMailQueue, type MailQueue } from '#app/platform/mail/mail-queue.server.ts';
import { createServerControl, type ServerControl } from '#app/platform/process-control.server.ts';
import { pushSenderOf } from '#app/platform/secrets/server-secrets.server.ts';
import type { Database } from '#models/index.server.ts';

/** The caller that delivers the events of the billing test mode. */
const TEST_STRIPE: Caller = {
  actor: { kind: 'visitor' },
  client: { address: 'this server', userAgent: null },
};

interface Parts {
  settings: Settings;
  log: Log;
  database: Database;
  /** What contexts sign and encrypt with. */
  secret: string;
  /** What stored mails are encrypted with, if it is loaded only when there is one; the same in every process. */
  mailSecret?: () => string | Promise<string>;
  /** Replaced by tests and benchmarks, which have receivers and a clock of their own. */
  mailer?: Mailer;
  outgoing?: OutgoingPosts;
  remoteTexts?: RemoteTexts;
  push?: PushSender;
  now?: () => Date;
}

/** A process's resources, put together. */
export interface Composition {
  contextFor: (caller: Caller) => Ctx;
  mailQueue: MailQueue;
  payments: Payments;
  server: ServerControl;
}

/** Puts together what every operation's context needs: the same for server, worker, terminal, tests and benchmarks. */
export function compose(parts: Parts): Composition {
  const { settings, log, database, secret, now = () => new Date() } = parts;
  const mailer = parts.mailer ?? createMailer(settings, log);
  const mailQueue = createMailQueue({
    mails: database.repos.mails,
    mailer,
    log,
    secret: parts.mailSecret ?? (() => secret),
    appUrl: settings.APP_URL,
    now,
  });
  const payments = openPayments(settings, {
    log,
    now,
    deliver: deliverHere(() => contextFor(TEST_STRIPE)),
  });
  const server = createServerControl(database, settings, now);
  const contextFor = contextFactory({
    repos: database.repos,
    transaction: database.transaction,
    settings,
    log,
    secret,
    mailQueue,
    remoteTexts: parts.remoteTexts ?? createRemoteTexts(),
    outgoing: parts.outgoing ?? createOutgoingPosts(),
    identityProviders: createIdentityProviders(settings, log),
    payments,
    mailer,
    push: parts.push ?? pushSenderOf(settings),
    server,
    now,
  });
  return { contextFor, mailQueue, payments, server };
}
