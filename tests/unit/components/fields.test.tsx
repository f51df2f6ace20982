import { describe, expect, it } from 'vitest';
import { Checkbox, RadioGroup, Field, Select, TextArea } from '#app/ui/fields.tsx';
import { ErrorSummary, fieldsToFix } from '#app/ui/error-summary.tsx';
import { tagWith, tags, componentText } from '#tests/support/html.ts';
import { renderPage } from './render-page.tsx';

describe('a field', () => {
  it('links label, hint and error to its control', () => {
    const html = renderPage(
      <Field name="email" type="email" label="Email" hint="As you signed up" error="Unknown" />,
    );
    const input = tagWith(html, 'input', 'name', 'email');
    expect(html).toContain('<label for="email"');
    expect(input).toMatchObject({ id: 'email', type: 'email', 'aria-invalid': 'true' });
    expect(input['aria-describedby']).toBe('email-error email-hint');
    for (const id of ['email-error', 'email-hint']) expect(html).toContain(`<p id="${id}"`);
  });

  it('does not mention errors it does not have', () => {
    const input = tagWith(renderPage(<Field name="search" label="Search" />), 'input', 'name', 'search');
    expect(input['aria-invalid']).toBeUndefined();
    expect(input['aria-describedby']).toBeUndefined();
  });

  it('can have another id if a page uses its name twice', () => {
    const html = renderPage(<Field name="email" id="demo-email" label="Email" />);
    expect(html).toContain('<label for="demo-email"');
    expect(tagWith(html, 'input', 'id', 'demo-email')['name']).toBe('email');
  });

  it('works the same way as a select or a text area', () => {
    const options = [
      { value: 'date', label: 'Date' },
      { value: 'name', label: 'Name' },
    ];
    const select = renderPage(
      <Select name="sort" label="Sort" options={options} defaultValue="name" error="No" />,
    );
    expect(tagWith(select, 'select', 'name', 'sort')['aria-describedby']).toBe('sort-error');
    expect(select).toContain('<option value="name" selected="">Name</option>');
    const area = renderPage(<TextArea name="notes" label="Notes" defaultValue="one" />);
    expect(area).toMatch(/<textarea[^>]*id="notes"[^>]*>one<\/textarea>/);
  });
});

describe('choices', () => {
  it('labels a checkbox with its text', () => {
    const html = renderPage(<Checkbox name="agree" label="I agree" error="You must" defaultChecked />);
    expect(html).toMatch(/<label for="agree"[^>]*>.*I agree.*<\/label>/s);
    expect(tagWith(html, 'input', 'name', 'agree')).toMatchObject({
      type: 'checkbox',
      checked: '',
      'aria-describedby': 'agree-error',
    });
  });

  it('groups radios under a legend, one of them chosen', () => {
    const options = [
      { value: 'csv', label: 'CSV' },
      { value: 'json', label: 'JSON' },
    ];
    const html = renderPage(
      <RadioGroup legend="Format" name="format" options={options} defaultValue="json" />,
    );
    expect(html).toMatch(/<fieldset[^>]*><legend[^>]*>Format<\/legend>/);
    expect(tags(html, 'input').map((tag) => [tag['value'], 'checked' in tag])).toEqual([
      ['csv', false],
      ['json', true],
    ]);
  });
});

describe('the error summary', () => {
  it('is announced, and absent without errors', () => {
    const html = renderPage(<ErrorSummary errors={['Invalid email or password']} />);
    expect(html).toContain('role="alert"');
    expect(componentText(html)).toBe('Invalid email or password');
    expect(renderPage(<ErrorSummary errors={[]} />)).toBe('');
    expect(renderPage(<ErrorSummary errors={undefined} />)).toBe('');
  });

  it('says once what several fields have in common, with a link to each', () => {
    const fill = ['Please fill in all fields'];
    const fields = fieldsToFix({ email: fill, confirmPassword: fill, ageVerification: ['You must be 18'] });
    const html = renderPage(<ErrorSummary errors={[]} fields={fields} />);
    expect(componentText(html)).toBe('Please fill in all fields: Email , Confirm password You must be 18');
    expect(tags(html, 'a').map(({ href }) => href)).toEqual([
      '#email',
      '#confirmPassword',
      '#ageVerification',
    ]);
  });
});
