export { BarPlot, type Bar } from './bar-plot.tsx';
export { ChartFigure } from './chart-figure.tsx';
export { HeatMap } from './heat-map.tsx';
export { LinePlot, type Point, type Series } from './line-plot.tsx';
export { ShareBars, type Share } from './share-bars.tsx';
