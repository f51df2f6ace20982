import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { isFullSize, sized } from './size.ts';

const launched = new Map<string, Promise<Browser>>();

/** A Chromium of this process, started at its first use, for all of its files. It ends with the process. */
function launch(executablePath: string): Promise<Browser> {
  const browser =
    launched.get(executablePath) ??
    chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A page lives too short for its scripts to earn back what compiling them better takes.
        '--js-flags=--no-opt --no-maglev',
      ],
    });
  launched.set(executablePath, browser);
  return browser;
}

/** The Chromium for pages, which may lack push and notifications. */
export const pageBrowser = (): Promise<Browser> => launch(inject('shellChromium'));

/** A Chromium with push and notifications. */
const wholeBrowser = (): Promise<Browser> => launch(inject('wholeChromium'));

/** Closes whatever the tests of a file left open (`close-pages.ts`). */
export async function closePages(): Promise<void> {
  for (const browser of await Promise.all(launched.values()))
    await Promise.all(browser.contexts().map((context) => context.close()));
}

export interface View {
  scripts: boolean;
  width: number;
  height: number;
  dark?: boolean;
  /** Somebody who has not asked for less motion. */
  moves?: boolean;
  /** In a Chromium with push and notifications. */
  whole?: boolean;
  /**
   * With the service worker, as on the main journey and wherever it is the subject. Installing it in each new profile
   * would take 4 to 10 % of the time of the browser tests.
   */
  worker?: boolean;
  /** The zone of the device; that of this machine otherwise. */
  timeZone?: string;
}

/** How long a step in a page may take: what is slow is no failure. */
export const PATIENCE_MS = 120_000;

export const PHONE = { width: 360, height: 640 };
export const DESKTOP = { width: 1280, height: 800 };

/**
 * With scripts the address changes before the page of it is drawn, by much on a busy machine: what a step filled in
 * between would go into the page before. From here on `waitForURL` waits for the page, too.
 */
function waitForPageWithURL(page: Page): void {
  const waitForURL = page.waitForURL.bind(page);
  page.waitForURL = async (...args) => {
    await waitForURL(...args);
    // A page that is left while it is asked is not the one that was waited for.
    await page.waitForFunction(isDrawn).catch((error: unknown) => {
      if (!/navigation|destroyed|closed/i.test(String(error))) throw error;
    });
  };
}

/** Runs in the page: no other page is on its way, and the browser has nothing left to draw. */
async function isDrawn(): Promise<boolean> {
  // There from the click on, though it is not seen at first.
  const isIdle = () => document.querySelector('.loading-bar') === null;
  if (!isIdle()) return false;
  await new Promise((resolve) =>
    requestAnimationFrame(() => requestIdleCallback(resolve, { timeout: 5000 })),
  );
  // After "back" the router hears of the address only now.
  return isIdle();
}

/**
 * A fresh browser profile on the shared server. Errors of the page's own scripts and policy violations are collected
 * and asserted by {@link expectQuiet}.
 */
export async function openPage(
  view: View,
): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
  const browser = await (view.whole ? wholeBrowser() : pageBrowser());
  const context = await browser.newContext({
    baseURL: inject('serverUrl'),
    javaScriptEnabled: view.scripts,
    viewport: { width: view.width, height: view.height },
    colorScheme: view.dark ? 'dark' : 'light',
    timezoneId: view.timeZone,
    // What moves is looked at where it is the subject; everywhere else it would only be waited for.
    reducedMotion: view.moves ? 'no-preference' : 'reduce',
    acceptDownloads: true,
    serviceWorkers: view.worker || view.whole ? 'allow' : 'block',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  if (view.scripts) context.on('page', waitForPageWithURL);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // A page that answers 400 or 404 is announced by the browser itself; that is the answer under test.
    const announced = /Failed to load resource: the server responded with a status of 4\d\d/.test(
      message.text(),
    );
    if (message.type() === 'error' && !announced) problems.push(message.text());
  });
  return { context, page, problems };
}

interface AxeResults {
  violations: { id: string; nodes: { target: string[] }[] }[];
}

interface WithAxe {
  axe: { run(within: Document | { include: Element[] }, options: object): Promise<AxeResults> };
  /** The colours in which each element has been checked. */
  checkedColours?: WeakMap<Element, Set<string>>;
}

const inWords = ({ violations }: AxeResults) =>
  violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);

/** Without its comments: every page that is checked has to be sent it, and to compile it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe objects to in the page as it is shown now. Contrast takes as long as all other rules together, so elements whose
 * colours were checked before in the same document are left out. Axe is put into a document once and asked again after that.
 */
async function axeProblems(page: Page, { rules }: { rules: boolean }): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(`${AXE};`);
  const found = await page.evaluate(
    async ({ rules }) => {
      const world = globalThis as unknown as WithAxe;
      const checked = (world.checkedColours ??= new WeakMap<Element, Set<string>>());
      /** Only what has words has a contrast. */
      const hasWords = (element: Element) =>
        ('value' in element && element.value !== '') ||
        [...element.childNodes].some(
          ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim() !== '',
        );
      /** Text over another background has to be checked again, and so has all that stands on one. */
      const coloursOf = (element: Element) => {
        const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight } =
          getComputedStyle(element);
        const isLarge = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
        return [color, backgroundColor, backgroundImage, opacity, isLarge, hasWords(element)].join();
      };
      const unseen: Element[] = [];
      const visit = (element: Element, isCovered: boolean) => {
        const isShown = element.checkVisibility() || getComputedStyle(element).display === 'contents';
        if (!isShown) return;
        const before = checked.get(element) ?? new Set();
        const shown = coloursOf(element);
        const isNew = !isCovered && !before.has(shown);
        if (isNew) unseen.push(element);
        checked.set(element, before.add(shown));
        for (const child of element.children) visit(child, isCovered || isNew);
      };
      visit(document.body, false);
      // At the first look everything is new: one run of all rules is faster than two.
      const isFirst = unseen[0] === document.body;
      // Only what is wrong is described: axe's account of all that is right takes a third of its time.
      const resultTypes = ['violations'];
      const found: AxeResults[] = [];
      if (rules)
        found.push(
          await world.axe.run(document, {
            resultTypes,
            // Of WCAG 2.2, which axe leaves off unless it is asked for.
            rules: { 'target-size': { enabled: true }, 'color-contrast': { enabled: isFirst } },
          }),
        );
      if (unseen.length > 0 && !(rules && isFirst))
        found.push(await world.axe.run({ include: unseen }, { resultTypes, runOnly: ['color-contrast'] }));
      return found;
    },
    { rules },
  );
  return found.flatMap(inWords);
}

/** How far the page as it is shown now scrolls sideways, in words; nothing where it fits. */
export async function overflow(page: Page): Promise<string[]> {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return tooWide > 0 ? [`${tooWide} px too wide`] : [];
}

/** Longer words, such as an address, may break; no others. */
const LONGEST_WORD = 24;

/** Words that are broken inside, with no hyphen or other place for it, in the page as it is shown now. */
export async function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate((longest) => {
    const isUnseen = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).clipPath !== 'none' || isUnseen(element.parentElement));
    const found = new Set<string>();
    const range = document.createRange();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      const parent = node.parentElement;
      if (parent === null || parent.closest('script, style, noscript, option, svg')) continue;
      range.selectNodeContents(node);
      if (range.getClientRects().length < 2 || !parent.checkVisibility() || isUnseen(parent)) continue;
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/[\p{L}\p{N}]+/gu)) {
        if (word.length > longest) continue;
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
        if (new Set(lines.map(({ top }) => Math.round(top))).size > 1) found.add(`“${word}” is broken`);
      }
    }
    return [...found];
  }, LONGEST_WORD);
}

/**
 * What is wrong with the page as it is shown now: sideways scrolling, and what axe objects to. Nothing moves from then
 * on: a toast that is still fading in has no contrast to speak of.
 */
export async function pageProblems(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return [...(await overflow(page)), ...(await axeProblems(page, { rules: true }))];
}

/** Nothing scrolls sideways on a phone or on a desk, and axe finds nothing. */
export async function expectSoundPage(page: Page, where: string, scripts: boolean): Promise<void> {
  const size = page.viewportSize() ?? PHONE;
  const other = size.width === PHONE.width ? DESKTOP : PHONE;
  await page.setViewportSize(other);
  expect(await overflow(page), `${where} at ${other.width} px`).toEqual([]);
  await page.setViewportSize(size);
  if (!scripts) return;
  expect(await pageProblems(page), where).toEqual([]);
}

/**
 * Words and controls that cover each other, and words that are cut off, in the page as it is shown now. What floats above
 * the page on purpose (its bars, toasts, a dialog) is left out, and so are drawings.
 */
async function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const CONTROLS = 'input:not([type=hidden]), select, textarea, .btn';
    interface Box {
      of: Element;
      words: string;
      rect: DOMRect;
    }
    const apart = new Map<Element, boolean>();
    /** Whether an element, or what it stands in, floats, is a drawing, or is there for screen readers alone. */
    const isApart = (element: Element): boolean => {
      const known = apart.get(element);
      if (known !== undefined) return known;
      const { position, clipPath } = getComputedStyle(element);
      const floats = position === 'fixed' || position === 'sticky' || element.matches('svg, .region');
      const unseen = clipPath !== 'none' || element.matches('.sr-only, dialog::backdrop');
      const found = floats || unseen || (element.parentElement ? isApart(element.parentElement) : false);
      apart.set(element, found);
      return found;
    };
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !isApart(element);
    /** What is seen of words where whatever they stand in hides the rest of them. */
    const seenPart = (element: Element, rect: DOMRect): DOMRect => {
      let { left, right, top, bottom } = rect;
      for (let around: Element | null = element; around !== null; around = around.parentElement) {
        if (getComputedStyle(around).overflow === 'visible') continue;
        const frame = around.getBoundingClientRect();
        [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
        [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
      }
      return new DOMRect(left, top, Math.max(right - left, 0), Math.max(bottom - top, 0));
    };
    const name = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 40);
    const boxes: Box[] = [];
    const within = document.querySelector('dialog[open]') ?? document.body;
    const walk = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      const parent = node.parentElement;
      const words = name(node.textContent ?? '');
      if (words === '' || parent === null || parent.closest('option, script, style, noscript')) continue;
      if (!isShown(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const seen = seenPart(parent, rect);
        if (seen.width > 1 && seen.height > 1) boxes.push({ of: parent, words, rect: seen });
      }
    }
    for (const control of within.querySelectorAll(CONTROLS)) {
      const rect = control.getBoundingClientRect();
      if (isShown(control) && rect.width > 1)
        boxes.push({
          of: control,
          words: `${control.tagName.toLowerCase()} ${control.id || name(control.textContent)}`,
          rect,
        });
    }
    const found = new Set<string>();
    boxes.sort((a, b) => a.rect.top - b.rect.top);
    for (const [index, one] of boxes.entries())
      for (const other of boxes.slice(index + 1)) {
        if (other.rect.top >= one.rect.bottom) break;
        if (one.of.contains(other.of) || other.of.contains(one.of)) continue;
        const width = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
        const height = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
        // Lines of text reach a little into each other.
        const lower = Math.min(one.rect.height, other.rect.height);
        if (width > 2 && height > lower / 3)
          found.add(`“${one.words}” and “${other.words}” cover each other`);
      }
    for (const element of within.querySelectorAll<HTMLElement>('*')) {
      const { overflowX, overflowY, textOverflow, display, webkitLineClamp } = getComputedStyle(element);
      // Some texts end with an ellipsis on purpose, and are whole elsewhere.
      if (
        display === 'inline' ||
        webkitLineClamp !== 'none' ||
        element.matches('input, select, textarea') ||
        !isShown(element)
      )
        continue;
      const cut = ['hidden', 'clip'];
      const isCut =
        (cut.includes(overflowX) &&
          textOverflow !== 'ellipsis' &&
          element.scrollWidth > element.clientWidth + 1) ||
        (cut.includes(overflowY) && element.scrollHeight > element.clientHeight + 1);
      if (isCut && name(element.innerText) !== '') found.add(`“${name(element.innerText)}” is cut off`);
    }
    return [...found];
  });
}

/** Text at twice the size, as a browser's own setting makes it: not zoomed, so the window stays as wide as it was. */
const DOUBLED = { standard: 32, fixed: 26 };
const PLAIN = { standard: 16, fixed: 13 };

/** What is lost where only the text is twice as large (WCAG 1.4.4). */
async function lostInLargeText(page: Page, session: CDPSession): Promise<string[]> {
  const heading = () =>
    page.evaluate(() =>
      parseFloat(getComputedStyle(document.querySelector('h1, h2, p') ?? document.body).fontSize),
    );
  const plain = await heading();
  const found: string[] = [];
  await session.send('Page.setFontSizes', { fontSizes: DOUBLED });
  if ((await heading()) < plain * 1.5) found.push('text keeps its size');
  found.push(...(await overflow(page)), ...(await covered(page)));
  await session.send('Page.setFontSizes', { fontSizes: PLAIN });
  return found.map((problem) => `text 200 %: ${problem}`);
}

/** A desk's window at four times the size (WCAG 1.4.10), and at twice. */
const ZOOMED = [
  { zoom: 400, width: 320, height: 256 },
  { zoom: 200, width: 640, height: 512 },
];

/** What a page that is read with other colours loses: a box that only its background drew. */
async function lostInForcedColours(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const lost = await page.evaluate(() => {
    const boxes = 'select, textarea, .btn-primary, input:not([type=checkbox], [type=radio], [type=range])';
    return [...document.querySelectorAll<HTMLElement>(boxes)]
      .filter((box) => box.checkVisibility({ visibilityProperty: true }) && box.offsetWidth > 1)
      .filter((box) => {
        // The frame of a field with its unit is drawn around both.
        const frames = [box, box.parentElement, box.parentElement?.parentElement];
        return frames.every((frame) => !frame || parseFloat(getComputedStyle(frame).borderBottomWidth) === 0);
      })
      .map((box) => `${box.tagName.toLowerCase()} ${box.id || box.innerText}`);
  });
  await page.emulateMedia({ forcedColors: 'none' });
  return lost.map((box) => `no border in forced colours: ${box}`);
}

/** What moves for people who asked for less motion. */
async function moving(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const found = await page.evaluate(() => {
    const longest = (times: string) => Math.max(...times.split(',').map((time) => parseFloat(time)));
    return [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { animationName, animationDuration, transitionDuration } = getComputedStyle(element);
        const animated = animationName === 'none' ? 0 : longest(animationDuration);
        return Math.max(animated, longest(transitionDuration)) > 0.01;
      })
      .map((element) => `${element.tagName.toLowerCase()}.${element.className.toString().split(' ')[0]}`);
  });
  return [...new Set(found)].map((element) => `moves in spite of reduced motion: ${element}`);
}

/** Text below 12 px on the screen; a drawing's text is as large as its drawing is shown. */
async function tooSmall(page: Page): Promise<string[]> {
  const found = await page.evaluate(() => {
    const sizes = [...document.querySelectorAll('svg text')].flatMap((text) => {
      const shown = text instanceof SVGGraphicsElement ? text.getScreenCTM() : null;
      if (!shown || !text.checkVisibility()) return [];
      const px = Number.parseFloat(getComputedStyle(text).fontSize) * Math.abs(shown.a);
      return px < 12 ? [`${text.textContent} is ${px.toFixed(1)} px`] : [];
    });
    const words = [...document.querySelectorAll('main :not(svg, svg *)')].flatMap((element) => {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      const px = Number.parseFloat(getComputedStyle(element).fontSize);
      return hasText && px < 12 && element.checkVisibility() ? [`${element.textContent} is ${px} px`] : [];
    });
    return [...sizes, ...words];
  });
  return [...new Set(found)];
}

type Check = (page: Page) => Promise<string[]>;

async function lostWhenZoomed(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const { zoom, ...size } of ZOOMED) {
    await page.setViewportSize(size);
    const problems = [...(await overflow(page)), ...(await covered(page))];
    found.push(...problems.map((problem) => `zoom ${zoom} %: ${problem}`));
  }
  return found;
}

const lostInLargeTextAt =
  (size: { width: number; height: number }): Check =>
  async (page) => {
    await page.setViewportSize(size);
    const session = await page.context().newCDPSession(page);
    const lost = await lostInLargeText(page, session);
    await session.detach();
    return lost.map((problem) => `${size.width} px, ${problem}`);
  };

/** What is wrong with a page for people who enlarge it, choose its colours or ask for less motion. */
const COMFORT: readonly Check[] = [
  lostWhenZoomed,
  lostInLargeTextAt(PHONE),
  async (page) => [...(await lostInForcedColours(page)), ...(await moving(page))],
  lostInLargeTextAt(DESKTOP),
];

/** How many pages a browser's tab has been checked on. */
const checked = new WeakMap<Page, number>();

/** The checks of the next page in this tab: one, in turn; at full size all. */
function comfortChecks(page: Page): readonly Check[] {
  const turn = checked.get(page) ?? 0;
  checked.set(page, turn + 1);
  return sized(COMFORT.slice(turn % COMFORT.length).slice(0, 1), COMFORT);
}

/**
 * What is wrong with a page at both widths, by day and by night, enlarged, in forced colours and with less motion, from
 * one load of it. In the dark only the colours are others. Axe takes most of the time, so that usually all of its rules are
 * for a phone, and a desk is looked at by day for what only a desk shows; at full size every view has them all.
 */
export async function problemsInEveryView(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const size of [PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    const isUsual = size === PHONE || isFullSize;
    for (const colorScheme of isUsual ? (['light', 'dark'] as const) : (['light'] as const)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(
        () => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))),
      );
      const problems = await overflow(page);
      const isLight = colorScheme === 'light';
      problems.push(...(await axeProblems(page, { rules: isLight && isUsual })));
      if (isLight) problems.push(...(await covered(page)), ...(await tooSmall(page)));
      found.push(...problems.map((problem) => `${size.width} px, ${colorScheme}: ${problem}`));
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  for (const check of comfortChecks(page)) found.push(...(await check(page)));
  await page.setViewportSize(PHONE);
  return found;
}
