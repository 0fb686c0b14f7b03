// A planner in Rust for arenabench: a template (PROGRAMS.md is the contract).
//
//     rustc -O -o first-fit first-fit.rs
//     arenabench compare resnet50 --solvers 'greedy-by-size,exec:mine=./first-fit'
//
// The largest buffer comes first, each into the lowest gap; then pairs of buffers change places
// in that order as long as it does no harm.  Each better plan is written at once.
//
//     first-fit [ROUNDS]    how often a pair changes places, 1000 times unless a limit
//                           comes first; 0: first fit alone
use std::io::{self, BufRead, Write};
use std::str::FromStr;
use std::time::Instant;

struct Buffer {
    id: String,
    lower: i64,
    upper: i64,
    size: i64,
    alignment: i64,
    offset: i64,
}

/// The same numbers for the same seed, in each of the templates.
struct Random {
    state: u64,
}

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.state >> 33) as usize % n
    }
}

/// The buffers that take up memory, in the order of the rows.
fn read_buffers(input: impl BufRead) -> Vec<Buffer> {
    let mut lines = input.lines().map(|line| line.expect("the instance"));
    let header = lines.next().expect("a header");
    let names: Vec<&str> = header.split(',').collect();
    let mut buffers = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let cell = |name| names.iter().position(|n| *n == name).map(|i| cells[i]);
        let number = |name| cell(name).unwrap_or("1").parse().expect("a whole number");
        let buffer = Buffer {
            id: cell("id").expect("an id").to_string(),
            lower: number("lower"),
            upper: number("upper"),
            size: number("size"),
            alignment: number("alignment"),
            offset: 0,
        };
        if buffer.size > 0 {
            buffers.push(buffer);
        }
    }
    buffers
}

/// Each buffer in `order` into the lowest gap; returns the peak.
fn place(buffers: &mut [Buffer], order: &[usize]) -> i64 {
    let mut placed: Vec<usize> = Vec::new(); // by offset
    let mut peak = 0;
    for &index in order {
        let buffer = &buffers[index];
        let mut at = 0;
        for &p in &placed {
            let other = &buffers[p];
            if other.upper <= buffer.lower || buffer.upper <= other.lower {
                continue;
            }
            if at + buffer.size <= other.offset {
                break;
            }
            let top = other.offset + other.size + buffer.alignment - 1;
            at = at.max(top - top % buffer.alignment);
        }
        peak = peak.max(at + buffer.size);
        let behind = placed.partition_point(|&p| buffers[p].offset <= at);
        placed.insert(behind, index);
        buffers[index].offset = at;
    }
    peak
}

fn write_plan(buffers: &[Buffer]) -> io::Result<()> {
    let mut text = String::from("id,offset\n");
    for buffer in buffers {
        text += &format!("{},{}\n", buffer.id, buffer.offset);
    }
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn from_environment<T: FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

fn main() -> io::Result<()> {
    let start = Instant::now();
    let limit: f64 = from_environment("ARENABENCH_TIME_LIMIT").unwrap_or(f64::INFINITY);
    let rounds: u64 = match std::env::args().nth(1) {
        Some(text) => text.parse().expect("a number of rounds"),
        None => 1000,
    };
    let rounds = rounds.min(from_environment("ARENABENCH_WORK_LIMIT").unwrap_or(rounds));
    let mut random = Random {
        state: from_environment("ARENABENCH_SEED").unwrap_or(1),
    };
    let mut buffers = read_buffers(io::stdin().lock());
    let mut order: Vec<usize> = (0..buffers.len()).collect();
    // A stable sort: the first row comes first where sizes and lengths are equal.
    order.sort_by_key(|&i| (-buffers[i].size, buffers[i].lower - buffers[i].upper));
    let mut best = place(&mut buffers, &order);
    write_plan(&buffers)?;
    for _ in 0..rounds {
        if order.len() < 2 || start.elapsed().as_secs_f64() > 0.9 * limit {
            break;
        }
        let (one, other) = (random.below(order.len()), random.below(order.len()));
        order.swap(one, other);
        let peak = place(&mut buffers, &order);
        if peak > best {
            order.swap(one, other);
        } else if peak < best {
            best = peak;
            write_plan(&buffers)?;
        }
    }
    Ok(())
}
