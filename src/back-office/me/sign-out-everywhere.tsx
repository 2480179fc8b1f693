import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, done } from '../api/client.ts';
import { asRefusal } from '../api/refusal.ts';
import { leave } from '../api/session.ts';
import { Dialog, Part, Refused } from './parts.tsx';

/** Ends everything that is signed in to the own account. */
export function SignOutEverywhere() {
	return (
		<Part title="退出登录">
			<p>手机丢了，或在别人的电脑上忘了退出？可以让所有设备上的登录一起失效。</p>
			<SignOutButton title="在所有设备上退出登录？" onDone={leave} label="在所有设备上退出">
				您在所有电脑和手机上的登录都将立即失效，包括这里，需要重新登录。
			</SignOutButton>
		</Part>
	);
}

interface Props {
	label: string;
	/** What is asked, and what happens then. */
	title: string;
	children: string;
	/** When nothing is signed in any more. */
	onDone(): void;
}

/** Ends everything that is signed in to the own account, once it has asked. */
export function SignOutButton({ label, title, children, onDone }: Props) {
	const [isAsking, setAsking] = useState(false);
	const signOut = useMutation({ mutationFn: () => done(api.auth.logout.post()), onSuccess: onDone });
	return (
		<>
			<button type="button" className="plain-button danger" onClick={() => setAsking(true)}>
				{label}
			</button>
			{isAsking && (
				<Dialog title={title} onClose={() => setAsking(false)}>
					<p>{children}</p>
					<Refused refusal={signOut.error ? asRefusal(signOut.error) : undefined} />
					<div className="own-buttons">
						<button type="button" className="plain-button" onClick={() => setAsking(false)}>
							取消
						</button>
						<button
							type="button"
							className="main-button danger"
							disabled={signOut.isPending}
							onClick={() => signOut.mutate()}
						>
							全部退出
						</button>
					</div>
				</Dialog>
			)}
		</>
	);
}
