/** A small chain for the walk and the screenshots, with realistic names, texts and states. */

import type { Body } from '../http.ts';
import { dayIn, type Server } from '../server.ts';
import { expectStatus } from '../world.ts';

const people =
	'王芳 李娜 张伟 刘洋 陈静 杨磊 赵敏 黄强 周杰 吴倩 徐丽 孙浩 胡军 朱琳 高峰 林峰 何洁 郭涛 马超 罗丹'.split(' ');
const stores = ['人民路店', '解放路店', '南京西路旗舰店', '大学城店', '火车站店'];

/** Two employees: a shift leader of the first store, and the manager of an area. */
export const [lead, areaManager] = [21, 29];

/**
 * Fills an installation: five stores, one of them disabled, an area, two points of the chain, two programs, two custom
 * roles and 53 people.
 */
export async function fillChain(server: Server): Promise<void> {
	const made: Body[] = [];
	for (const [index, name] of stores.entries()) {
		const facts =
			index % 2 ? {} : { address: `${name.slice(0, -1)} ${index * 13 + 1} 号`, phone: `021-5566778${index}` };
		made.push(await server.addStore({ name, ...facts }));
	}
	const addRole = async (role: object) => expectStatus(await server.asSuper('POST', '/api/roles', role), 201).id;
	const leader = await addRole({ code: 'shift_leader', name: '值班长', description: '负责当班' });
	const led = await addRole({ code: 'shift_lead', name: '值班经理' });
	await server.addPoint('till:refund', { title: '退款', description: '为顾客退款', groupTitle: '收银' });
	await server.addPoint('till:discount', { title: '打折', description: '为顾客打折', groupTitle: '收银' });
	const addProgram = (program: object) => server.asSuper('POST', '/api/programs', { ...program, endsOn: dayIn(9) });
	await addProgram({ name: '工资系统', permissions: ['employee:view:all'] });
	await addProgram({ name: '收银服务器', permissions: ['employee:view:store', 'till:refund'], storeId: 1 });
	const grant = (id: number, ...permissions: string[]) =>
		server.asSuper('PUT', `/api/permissions/roles/${id}`, { permissions });
	await grant(led, 'employee:view:store', 'employee:manage', 'till:discount');
	await grant(3, 'till:discount');
	for (let index = 0; index < 53; index++) {
		const name = `${people[index % 20]}${index < 20 ? '' : '一二三'[index % 3]}`;
		const roleIds = [[2], [3], [4], [5], [leader], [1], []][index % 7] ?? [];
		await server.addEmployee(made[index % 4].id, roleIds, {
			name,
			remark: index === 4 ? '早班\n<b>周末</b>休息' : null,
			status: index % 9 === 8 ? 'INACTIVE' : 'ACTIVE',
		});
	}
	await server.asSuper('PATCH', '/api/employees/5', { remark: '调到晚班', roleIds: [2, 3], status: 'INACTIVE' });
	for (const id of [lead, areaManager]) await server.asSuper('PATCH', `/api/employees/${id}`, { roleIds: [led] });
	const area = await server.addArea('城东');
	for (const id of [2, 3]) await server.asSuper('PATCH', `/api/stores/${id}`, { areaId: area.id });
	await server.giveReach(areaManager, { areas: [area.id] });
	await server.asSuper('PATCH', '/api/stores/4', { address: '大学路 88 号', status: 'INACTIVE' });
}
