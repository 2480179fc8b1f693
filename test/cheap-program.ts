/** The program from source, which seals cheaply. */
import { sealCheaply } from './cheap-sealing.ts';

sealCheaply();
await import('../src/main.ts');
