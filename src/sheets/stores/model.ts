import { type Static, Type } from '@sinclair/typebox';
import { exportFormat } from '../../http/file-answer.ts';
import { shape } from '../../http/schema-types.ts';
import { StoreQuery } from '../../stores/model.ts';
import { importFields } from '../model.ts';
import { columns } from './columns.ts';

const { status, keyword } = StoreQuery.properties;

/** The query of GET /api/stores/export. */
export const ExportQuery = Type.Object({ format: Type.Optional(exportFormat()), status, keyword });

/** What POST /api/stores/import answers. */
export const StoreImportResult = shape('StoreImportResult', importFields('Store', columns));
export type StoreImportResult = Static<typeof StoreImportResult>;
