import { type Static, Type } from '@sinclair/typebox';
import { exportFormat } from '../../http/file-answer.ts';
import { StoreQuery } from '../../stores/model.ts';
import { importFields } from '../model.ts';
import { columns } from './columns.ts';

const { status, keyword } = StoreQuery.properties;

/** The query of GET /api/stores/export. */
export const ExportQuery = Type.Object({ format: Type.Optional(exportFormat()), status, keyword });

/** What POST /api/stores/import answers. */
export const StoreImportResult = Type.Object(importFields('Store', columns), { title: 'StoreImportResult' });
export type StoreImportResult = Static<typeof StoreImportResult>;
