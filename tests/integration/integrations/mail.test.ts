import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SILENT_LOG, type Log } from '#app/domain/log.ts';
import { passwordResetMail } from '#app/domain/accounts/account-mails.ts';
import { createMailer, MailError, smtpServer, type MailMessage } from '#app/integrations/mail.server.ts';
import { headersOf, startMute, startSmtp, type SmtpHost } from './smtp-host.ts';

const appUrl = 'http://localhost:3000';
const message: MailMessage = {
  to: 'ann@example.org',
  ...passwordResetMail({ appUrl, token: 'secret-token', validMinutes: 30 }),
};

/** A log that stores its lines, to search them for secrets. */
function keepingLog() {
  const lines: { facts: object; text: string }[] = [];
  const write = (facts: object, text: string) => void lines.push({ facts, text });
  const log: Log = { debug: write, info: write, warn: write, error: write };
  return { log, lines, all: () => JSON.stringify(lines) };
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
function kept<T extends { close(): Promise<unknown> }>(host: T): T {
  closing.push(() => host.close());
  return host;
}

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'vialbook-mail-'));
  closing.push(() => rm(dataDir, { recursive: true }));
});

const mailerFor = (host: Pick<SmtpHost, 'port'>, log = SILENT_LOG) =>
  createMailer(
    {
      SMTP_URL: `smtp://127.0.0.1:${host.port}`,
      MAIL_FROM: 'Vialbook <hello@vialbook.example>',
      DATA_DIR: dataDir,
      APP_URL: appUrl,
    },
    log,
  );

async function failureOf(sending: Promise<void>): Promise<MailError> {
  const error = await sending.then(
    () => new Error('it was sent'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof MailError)) throw error;
  return error;
}

describe('a mail by SMTP', () => {
  it('arrives with both parts, sender, recipient and message id', async () => {
    const host = kept(await startSmtp());
    await mailerFor(host).send({ ...message, messageId: '<dose-1@vialbook.example>' });
    expect(host.received).toHaveLength(1);
    const [{ from, to, raw } = { from: '', to: [], raw: '' }] = host.received;
    expect([from, to]).toEqual(['hello@vialbook.example', ['ann@example.org']]);
    const headers = headersOf(raw);
    expect(headers).toContain('From: Vialbook <hello@vialbook.example>');
    expect(headers).toContain('To: ann@example.org');
    expect(headers).toContain('Subject: Reset your Vialbook password');
    expect(headers).toContain('Message-ID: <dose-1@vialbook.example>');
    expect(headers).toContain('Auto-Submitted: auto-generated');
    expect(raw).toMatch(/Content-Type: multipart\/alternative/);
    expect(raw).toMatch(
      /Content-Type: text\/plain; charset=utf-8[\s\S]*Content-Type: text\/html; charset=utf-8/,
    );
    expect(raw.replace(/=\r\n/g, '')).toContain(`${appUrl}/reset-password/secret-token`);
  });

  it('has a unique message id unless one is given', async () => {
    const host = kept(await startSmtp());
    const mailer = mailerFor(host);
    await Promise.all([mailer.send(message), mailer.send(message)]);
    const ids = host.received.map(({ raw }) => headersOf(raw).find((line) => line.startsWith('Message-ID:')));
    expect(new Set(ids).size).toBe(2);
  });

  it('is sent with the credentials from the address', async () => {
    const seen: string[] = [];
    const host = kept(
      await startSmtp({
        authOptional: false,
        allowInsecureAuth: true,
        onAuth({ username, password }, _session, callback) {
          seen.push(`${username}:${password}`);
          callback(null, { user: username });
        },
      }),
    );
    await smtpServer({
      url: `smtp://ann:pa%40ss@127.0.0.1:${host.port}?logger=true&debug=true`,
      from: 'a@b.example',
      log: SILENT_LOG,
    }).send(message);
    expect(seen).toEqual(['ann:pa@ss']);
    expect(host.received).toHaveLength(1);
  });
});

describe('a mail server that rejects or delays a mail', () => {
  it('rejects permanently or temporarily, and the error says which', async () => {
    const refuse = (responseCode: number) => async () => {
      const host = kept(
        await startSmtp({
          onRcptTo: (_address, _session, callback) =>
            callback(Object.assign(new Error('<ann@example.org> not here'), { responseCode })),
        }),
      );
      return failureOf(mailerFor(host).send(message));
    };
    const final = await refuse(550)();
    expect([final.temporary, final.message]).toEqual([
      false,
      'The mail server did not accept the message (EENVELOPE 550).',
    ]);
    expect((await refuse(451)()).temporary).toBe(true);
  });

  it('counts as temporary if it cannot be reached', async () => {
    const host = await startSmtp();
    await host.close();
    expect((await failureOf(mailerFor(host).send(message))).temporary).toBe(true);
  });

  it('times out if it never greets', async () => {
    const host = kept(await startMute(() => undefined));
    const mailer = smtpServer({
      url: `smtp://127.0.0.1:${host.port}`,
      from: 'a@b.example',
      log: SILENT_LOG,
      timeoutMs: 100,
    });
    expect((await failureOf(mailer.send(message))).temporary).toBe(true);
  });

  it('times out if it keeps answering without end', async () => {
    const host = kept(
      await startMute((socket) => {
        const timer = setInterval(() => socket.write('220-wait\r\n'), 10);
        socket.on('close', () => clearInterval(timer));
      }),
    );
    const mailer = smtpServer({
      url: `smtp://127.0.0.1:${host.port}`,
      from: 'a@b.example',
      log: SILENT_LOG,
      timeoutMs: 200,
    });
    expect((await failureOf(mailer.send(message))).temporary).toBe(true);
  });

  it('16.2.5 never puts a password, an address or a link into an error or a log', async () => {
    const host = kept(
      await startSmtp({
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: (_auth, _session, callback) => callback(new Error('bad password hunter2-smtp')),
      }),
    );
    const { log, all } = keepingLog();
    const mailer = smtpServer({
      url: `smtp://ann:hunter2-smtp@127.0.0.1:${host.port}`,
      from: 'a@b.example',
      log,
    });
    const error = await failureOf(mailer.send(message));
    const told = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)} ${all()}`;
    for (const secret of ['hunter2-smtp', 'ann@example.org', 'secret-token'])
      expect(told).not.toContain(secret);
  });

  it('gets no password over an unencrypted connection outside this machine', async () => {
    const greetings: string[] = [];
    const host = kept(
      await startMute((socket) => {
        socket.write('220 here\r\n');
        socket.on('data', (data) => {
          greetings.push(data.toString());
          socket.write('250-here\r\n250 AUTH PLAIN LOGIN\r\n');
        });
      }),
    );
    // Reaches this machine, but is not a loopback name.
    const url = `smtp://ann:hunter2@0.0.0.0:${host.port}`;
    const mailer = smtpServer({ url, from: 'a@b.example', log: SILENT_LOG, timeoutMs: 60_000 });
    await failureOf(mailer.send(message));
    expect(greetings.join('')).toContain('EHLO');
    expect(greetings.join('')).not.toContain('AUTH');
  });
});

describe('hostile mail values', () => {
  it.each([
    'ann@example.org, eve@example.org',
    'ann@example.org\r\nBcc: eve@example.org',
    'ann@example.org\nRCPT TO:<eve@example.org>',
    '<ann@example.org>',
    '"a b"@example.org',
    'ann',
    '',
    `${'a'.repeat(250)}@example.org`,
  ])('cannot add a recipient by the address %j', async (to) => {
    const host = kept(await startSmtp());
    expect((await failureOf(mailerFor(host).send({ ...message, to }))).temporary).toBe(false);
    expect(host.received).toEqual([]);
  });

  it('cannot add a header by a subject or a message id', async () => {
    const host = kept(await startSmtp());
    const mailer = mailerFor(host);
    await mailer.send({ ...message, subject: 'Hi\r\nBcc: eve@example.org\r\n\r\n<b>body</b>' });
    const [{ raw, to } = { raw: '', to: [] }] = host.received;
    expect(to).toEqual(['ann@example.org']);
    expect(headersOf(raw)).toContain('Subject: Hi Bcc: eve@example.org <b>body</b>');
    expect(headersOf(raw).filter((line) => line.startsWith('Bcc'))).toEqual([]);
    await failureOf(mailer.send({ ...message, messageId: '<a@b>\r\nBcc: eve@example.org' }));
    expect(host.received).toHaveLength(1);
  });

  it('cannot end the message with a single dot, or attach a file by name', async () => {
    const host = kept(await startSmtp());
    await mailerFor(host).send({ ...message, text: 'one\r\n.\r\nRSET\r\n', html: 'file:///etc/passwd' });
    const [{ raw } = { raw: '' }] = host.received;
    expect(raw).toContain('one\r\n.\r\nRSET');
    expect(raw).toContain('file:///etc/passwd');
  });
});

describe('a mail without SMTP', () => {
  const folderMailer = (log: Log, folder = dataDir) =>
    createMailer({ SMTP_URL: undefined, MAIL_FROM: undefined, DATA_DIR: folder, APP_URL: appUrl }, log);

  it('is a file that only its owner can read, and its path is logged', async () => {
    const { log, lines } = keepingLog();
    const mailer = folderMailer(log);
    await mailer.send(message);
    await mailer.send(message);
    const names = await readdir(path.join(dataDir, 'mail'));
    expect(names).toHaveLength(2);
    expect(names[0]).toMatch(/^\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{8}\.eml$/);
    expect(lines.map(({ facts }) => (facts as { path: string }).path).sort()).toEqual(
      names.map((name) => path.join(dataDir, 'mail', name)).sort(),
    );
    const file = path.join(dataDir, 'mail', names[0] ?? '');
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    expect(((await stat(path.dirname(file))).mode & 0o777).toString(8)).toBe('700');
    const raw = await readFile(file, 'utf8');
    expect(headersOf(raw)).toContain('From: Vialbook <support@localhost>');
    expect(headersOf(raw)).toContain('To: ann@example.org');
    expect(JSON.stringify(lines)).not.toContain('secret-token');
  });

  it('is deleted when its address is forgotten; other mails stay, and no farewell is stored', async () => {
    const mailer = folderMailer(SILENT_LOG);
    await mailer.forget('ann@example.org');
    const others = ['anna@example.org', 'bob@example.org', 'ann@example.org.uk'];
    for (const to of ['ann@example.org', 'Ann@example.org', ...others]) await mailer.send({ ...message, to });
    await mailer.forget('ann@example.org');
    await mailer.send({ ...message, isFarewell: true });
    const names = await readdir(path.join(dataDir, 'mail'));
    const left = await Promise.all(names.map((name) => readFile(path.join(dataDir, 'mail', name), 'utf8')));
    const readers = left.map((raw) => /^To: (.*)\r$/m.exec(raw)?.[1]);
    expect(readers.toSorted()).toEqual(others.toSorted());
  });

  it('fails with a message if it cannot be written', async () => {
    const blocked = path.join(dataDir, 'a-file');
    await writeFile(blocked, '');
    const error = await failureOf(folderMailer(SILENT_LOG, blocked).send(message));
    expect(error.temporary).toBe(true);
    expect(error.message).toContain('could not be written');
  });
});
