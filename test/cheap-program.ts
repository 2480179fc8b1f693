/** The program from source, with cheap sealing. */
import { sealCheaply } from './cheap-sealing.ts';

sealCheaply();
await import('../src/main.ts');
