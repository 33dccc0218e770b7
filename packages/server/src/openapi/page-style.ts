export const PAGE_STYLE = `
:root{--bg:#f5f3ec;--card:#fffefb;--ink:#16211f;--soft:#4d5955;--line:#e0dccf;--code:#efece2;--accent:#0c6b5a;--ok:#16794c;--warn:#a65b00;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--bg:#0d1513;--card:#141f1c;--ink:#e9f2ef;--soft:#a6b8b2;--line:#253531;--code:#1b2925;--accent:#5fd9bf;--ok:#5fd39a;--warn:#f0b35e;--bad:#ff8a80}}
*{box-sizing:border-box}html{scroll-behavior:smooth}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.6 ui-sans-serif,system-ui,sans-serif;display:grid;grid-template-columns:20rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:2rem 1.25rem;border-right:1px solid var(--line);font-size:.9rem}
nav h2{font-size:.8rem;font-weight:500;color:var(--soft);margin:1.5rem 0 .5rem}nav ul{list-style:none;padding:0;margin:0}nav li{margin:.4rem 0}nav a{display:grid;grid-template-columns:4.3rem minmax(0,1fr);align-items:baseline;color:inherit;text-decoration:none}nav p a{display:inline;text-decoration:underline}nav span{overflow-wrap:anywhere}nav b{justify-self:start}nav a:hover span{color:var(--accent)}
.brand{font-weight:700;font-size:1.15rem;letter-spacing:-.01em;margin:0}
main{max-width:60rem;padding:3rem 2.5rem 6rem}h1{font-size:2.2rem;letter-spacing:-.02em;line-height:1.15;margin:0 0 .5rem}
header p{color:var(--soft);font-size:1.05rem}section{margin-top:3rem;padding-top:1rem}
h2{font-size:1.3rem;margin:0 0 .5rem}h2 code{background:none;padding:0}h3{font-size:.95rem;margin:2rem 0 .5rem}h3 small{font-weight:400;color:var(--soft)}
summary{cursor:pointer;margin:1rem 0 .5rem;color:var(--accent)}.lead{font-size:1.05rem;margin:.25rem 0 .5rem}a{color:var(--accent)}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.86em}code{background:var(--code);padding:.1em .35em;border-radius:.3em}
pre{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem 1.2rem;overflow:auto}pre code{background:none;padding:0}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:.6rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}th{text-align:left;color:var(--soft);font-weight:500;font-size:.8rem}
th,td{padding:.55rem .9rem;border-bottom:1px solid var(--line);vertical-align:top}tr:last-child td{border-bottom:0}td:first-child{white-space:nowrap}h2 code,td code{overflow-wrap:anywhere}
.codes{margin-top:.3rem;line-height:1.9}.need{font-style:normal;font-size:.75rem;color:var(--bad);margin-left:.3rem}
b.get,b.post,b.put,b.patch,b.delete{font-size:.72rem;letter-spacing:.05em;padding:.2em .5em;border-radius:.35em;color:var(--bg);background:var(--ok);vertical-align:.1em}b.post{background:var(--accent)}b.put,b.patch{background:var(--warn)}b.delete{background:var(--bad)}
.s2{color:var(--ok)}.s4{color:var(--warn)}.s5{color:var(--bad)}
@media(max-width:52rem){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}nav{max-height:50vh}main{padding:2rem 1.25rem 4rem}}
`;
