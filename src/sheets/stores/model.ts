import type { Static } from '@sinclair/typebox';
import { parameters } from '../../http/fields.ts';
import { exportFormat } from '../../http/file-answer.ts';
import { shape } from '../../http/schema-types.ts';
import { StoreQuery } from '../../stores/model.ts';
import { importFields } from '../model.ts';
import { columns } from './columns.ts';

const { status, keyword } = StoreQuery.properties;

/** The query of GET /api/stores/export. */
export const ExportQuery = parameters({ format: exportFormat(), status, keyword });

/** What POST /api/stores/import answers. */
export const StoreImportResult = shape('StoreImportResult', importFields('Store', columns));
export type StoreImportResult = Static<typeof StoreImportResult>;
