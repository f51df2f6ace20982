export { EffectForm } from './effect-form.tsx';
export { EffectList } from './effect-list.tsx';
export { EffectReport } from './effect-report.tsx';
export { EffectStats } from './effect-stats.tsx';
export { EffectView } from './effect-view.tsx';
export { ResolveForm } from './resolve-form.tsx';
export { TemplateLinks } from './template-links.tsx';
export { TemplateList } from './template-list.tsx';
