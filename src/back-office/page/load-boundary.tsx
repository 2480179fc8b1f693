import { Component, type ReactNode } from 'react';
import { wasOutage } from '../api/connection.ts';
import { LoadFailure } from './late.tsx';

/**
 * Stands in for screens that could not be loaded: the network is gone, or the program was upgraded and its files have
 * other names now. The page is loaded again when the network is back. Does not use Ant Design, whose script may be the
 * one that is missing.
 */
export class LoadBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
	override state = { failed: false };

	static getDerivedStateFromError() {
		return { failed: true };
	}

	override async componentDidCatch(error: Error) {
		if (error instanceof LoadFailure && (await wasOutage())) location.reload();
	}

	override render() {
		if (!this.state.failed) return this.props.children;
		return (
			<main className="load-failure" role="alert">
				<h1>页面无法加载</h1>
				<p>网络已断开，或系统刚刚升级。</p>
				<button type="button" onClick={() => location.reload()}>
					刷新页面
				</button>
			</main>
		);
	}
}
