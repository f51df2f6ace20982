import { describe, expect, it } from 'vitest';
import { FIVE_IN_TWO, renderCalculator } from './calculator-fixture.tsx';
import { elements, fieldValue, tagWith, tags, componentText } from '#tests/support/html.ts';

describe('the form without scripts', () => {
  const html = renderCalculator({});

  it('sends a GET to its own page with the API’s field names', () => {
    expect(tagWith(html, 'form', 'id', 'calculator')).toMatchObject({
      method: 'get',
      action: '/calculator#answer',
    });
    const names = [...tags(html, 'input'), ...tags(html, 'select')].map((tag) => tag['name']);
    expect(names).toEqual(
      expect.arrayContaining([
        'peptideAmount',
        'waterVolume',
        'desiredDose',
        'desiredDoseUnit',
        'drawVolume',
        'solveFor',
        'syringe',
        'displacement',
        'mark',
      ]),
    );
  });

  it.each([
    ['peptideAmount', 'Peptide amount', '<span class="unit-mg">mg</span><span class="unit-iu">IU</span>'],
    ['waterVolume', 'Water volume', 'ml'],
    ['drawVolume', 'Draw volume', 'ml'],
  ])('labels %s, accepts decimals and shows its unit', (name, label, unit) => {
    expect(html).toContain(`<label for="${name}">${label}</label>`);
    const input = tagWith(html, 'input', 'name', name);
    expect(input).toMatchObject({ id: name, inputmode: 'decimal', type: 'text' });
    expect(input['aria-describedby']).toBe(`${name}-unit`);
    expect(html).toContain(`<span id="${name}-unit" class="unit">${unit}</span>`);
  });

  it('never disables or natively blocks Calculate', () => {
    expect(html).toMatch(/<button type="submit"[^>]*>Calculate<\/button>/);
    expect(html).not.toMatch(/<button[^>]*disabled=""/);
    expect(html).not.toContain('required=""');
  });

  it('explains what will appear, and shows an empty syringe', () => {
    expect(componentText(html)).toContain('The units to draw, the volume and the concentration appear here.');
    expect(html).toContain('aria-label="U-100 1 ml syringe, empty"');
  });

  it('reports an error in a name for which there is no field', () => {
    const wrong = renderCalculator({ ...FIVE_IN_TWO, peptideName: 'x'.repeat(500) });
    const links = elements(wrong, 'a[href^="#"]').map((link) => link.getAttribute('href') ?? '');
    expect(links.filter((id) => elements(wrong, id).length === 0)).toEqual([]);
    expect(tagWith(wrong, 'div', 'role', 'alert')).toBeDefined();
  });

  it('has no copy button and no save fields', () => {
    expect(html).not.toContain('Copy');
    expect(html).not.toContain('name="peptideName"');
  });
});

describe('a result', () => {
  const html = renderCalculator(FIVE_IN_TWO);
  const text = componentText(html);

  it('shows units and volume first, then concentration, doses and the formula with its numbers', () => {
    const headline = /<p class="headline">.*?<\/p>/s.exec(html)?.[0] ?? '';
    expect(componentText(headline)).toBe('10 units 0.100 ml');
    expect(text).toContain('Concentration 2.50 mg/ml');
    expect(text).toContain('Doses per vial 20');
    expect(text).toContain('5 mg ÷ 2 ml = 2.50 mg/ml');
  });

  it('draws the syringe to the mark', () => {
    expect(html).toContain('aria-label="U-100 1 ml syringe filled to 10 units"');
  });

  it('has the summary line, and one live line for the phone', () => {
    expect(text).toContain('5 mg + 2 ml = 2.50 mg/ml; 0.25 mg = 0.100 ml (10 units)');
    const [live] = elements(html, 'output[aria-live="polite"]');
    expect(live?.textContent).toBe('10 units · 0.100 ml · 2.50 mg/ml');
  });

  it('keeps what was typed', () => {
    expect(tagWith(html, 'input', 'name', 'desiredDose')['value']).toBe('250');
    expect(fieldValue(html, 'desiredDoseUnit')).toBe('mcg');
  });
});

describe('an error in the calculator', () => {
  it('is shown at its field in the specified words, and the value is kept', () => {
    const html = renderCalculator({ peptideAmount: '500', waterVolume: '2', desiredDose: '1' });
    const input = tagWith(html, 'input', 'name', 'peptideAmount');
    expect(input).toMatchObject({ value: '500', 'aria-invalid': 'true' });
    expect(input['aria-describedby']?.split(' ')).toContain('peptideAmount-error');
    const error = /<p id="peptideAmount-error".*?<\/p>/s.exec(html)?.[0] ?? '';
    expect(componentText(error)).toBe('Peptide amount must be between 0.1mg and 100mg');
    expect(tagWith(html, 'input', 'name', 'waterVolume')['aria-invalid']).toBeUndefined();
  });

  it('is shown for a solved value, too, although its field is hidden', () => {
    const html = renderCalculator({
      solveFor: 'water',
      peptideAmount: '100',
      desiredDose: '2.5',
      drawVolume: '1.5',
    });
    const error = /<p id="solved-error".*?<\/p>/s.exec(html)?.[0] ?? '';
    expect(componentText(error)).toBe('Water volume must be between 0.5ml and 10ml');
    expect(componentText(html)).toContain('Water to add');
  });

  it('includes warnings, with the number of draws of a small barrel', () => {
    const html = renderCalculator({ peptideAmount: '0.1', waterVolume: '10', desiredDose: '0.05' });
    const text = componentText(html);
    expect(text).toContain('Large injection volume - consider using less water for reconstitution');
    expect(text).toContain('5 draws of the 1 ml barrel');
    expect(html).toContain('aria-label="U-100 1 ml syringe filled to 100 units, 5 draws"');
  });

  it('shows a mark of the syringe as the largest figure, and its error in the line at the bottom, too', () => {
    const partOf = (html: string, pattern: RegExp) => componentText(pattern.exec(html)?.[0] ?? '');
    const figuresOf = (desiredDose: string, waterVolume: string) => {
      const html = renderCalculator({ peptideAmount: '5', waterVolume, desiredDose });
      return [partOf(html, /<p class="headline">.*?<\/p>/s), partOf(html, /<output.*?<\/output>/s)];
    };
    const [headline = '', line = ''] = figuresOf('0.137', '0.5');
    expect(headline).toMatch(/^1 unit/);
    expect(headline).toContain('exact 1.37 units');
    for (const part of [headline, line]) expect(part.toLowerCase()).toContain('delivers 0.1 mg, 27.01% less');
    expect(line).toMatch(/^1 unit, exact 1\.37/);
    for (const part of figuresOf('4.9', '2')) expect(part).toMatch(/^100 \+ 96 units/);
    for (const part of figuresOf('0.25', '2')) expect(part).toMatch(/^10 units/);
  });
});

describe('solving for water or dose', () => {
  it('puts the water to add first', () => {
    const html = renderCalculator({
      solveFor: 'water',
      peptideAmount: '5',
      desiredDose: '0.25',
      drawVolume: '0.1',
    });
    expect(componentText(/<p class="headline">.*?<\/p>/s.exec(html)?.[0] ?? '')).toBe(
      '2 ml 0.100 ml = 10 units',
    );
    expect(tagWith(html, 'input', 'value', 'water')['checked']).toBe('');
  });

  it('puts the dose first, in the unit that was chosen', () => {
    const query = {
      solveFor: 'dose',
      peptideAmount: '5',
      waterVolume: '2',
      drawVolume: '0.1',
      desiredDoseUnit: 'mcg',
    };
    const html = renderCalculator(query);
    expect(componentText(/<p class="headline">.*?<\/p>/s.exec(html)?.[0] ?? '')).toBe(
      '250 mcg 0.100 ml = 10 units',
    );
  });
});

describe('saving a calculation', () => {
  it('starts with a button that opens save mode and keeps what was typed', () => {
    const html = renderCalculator(FIVE_IN_TWO, { vialHref: '/dashboard/vials/new' });
    // One at the result, one under the thumb of a phone.
    const buttons = tags(html, 'button').filter(({ value }) => value === 'save');
    const saving = { name: 'mode', form: 'calculator', type: 'submit' };
    expect(buttons).toMatchObject([saving, saving]);
    expect(html.indexOf('Save Calculation')).toBeLessThan(html.indexOf('Save as vial'));
    expect(html.split('Save Calculation')).toHaveLength(2);
  });

  it('ends with a button that posts name and notes with the numbers', () => {
    const save = {
      kind: 'open',
      action: '/dashboard/calculator',
      cancelHref: '/dashboard',
      saveKey: 'k1',
    } as const;
    const html = renderCalculator({ ...FIVE_IN_TWO, peptideName: 'BPC-157' }, { save });
    expect(tagWith(html, 'input', 'name', 'peptideName')).toMatchObject({
      form: 'calculator',
      value: 'BPC-157',
    });
    expect(tagWith(html, 'textarea', 'name', 'notes')['form']).toBe('calculator');
    expect(html).toContain('<label for="peptideName"');
    expect(html).toContain('<label for="notes"');
    const button = tagWith(html, 'button', 'formmethod', 'post');
    expect(button).toMatchObject({ form: 'calculator', formaction: '/dashboard/calculator' });
    expect(html.split('Save Calculation')).toHaveLength(2);
  });

  it('is not offered to visitors, who are told how to get it', () => {
    const html = renderCalculator(FIVE_IN_TWO, { save: { kind: 'signed-out', signInHref: '/login' } });
    expect(html).not.toContain('Save Calculation');
    expect(html).toContain('href="/login"');
  });

  it('is not offered without a result', () => {
    expect(renderCalculator({})).not.toContain('Save Calculation');
  });
});
